/** Sizes and counts that both sides obey. Lengths are in Unicode code points unless a name says bytes. */
export const limits = {
  titleLength: 500,
  contentBytes: 10 * 1024 * 1024,
  commentLength: 10_000,
  authorNameLength: 80,
  /** Of one comment, by all people. */
  reactions: 200,
  labelLength: 100,
  keyNameLength: 100,
  keyDocuments: 500,
  /** Of one account, and how long the address of one is at most. */
  webhooks: 20,
  webhookUrlLength: 2_000,
  webhookDocuments: 500,
  /** So many deliveries of one webhook wait at one time; further events wait where events are kept. */
  webhookWaiting: 1_000,
  /** So many deliveries of one webhook are under way at one time, each for so many seconds. */
  webhooksAtOnce: 4,
  webhookSeconds: 10,
  /** Behind an answer's status so much is read, and for so long; nothing of it is kept. */
  webhookAnswerBytes: 64 * 1024,
  webhookAnswerMs: 1_000,
  /** A delivery is tried again for so long, and at least so many times. */
  webhookRetryHours: 24,
  webhookLeastAttempts: 10,
  /** A webhook is switched off where none of its deliveries has arrived for so many days. */
  webhookFailingDays: 3,
  /** Deliveries that are over are listed for so many days, and so many of one webhook. */
  webhookDeliveryDays: 30,
  webhookDeliveries: 1_000,
  webhookPage: 50,
  webhookPageMax: 500,
  allowedOrigins: 20,
  /** So much of a key is shown after it was made. */
  keyPrefixLength: 12,
  versionNameLength: 100,
  /** Of a passage that is to be forgotten. */
  forgottenLeast: 3,
  forgottenMost: 20_000,
  noteLength: 2_000,
  suggestionLength: 200_000,
  anchorLength: 100_000,
  anchorContext: 1_000,
  bulkSuggestions: 1_000,
  /** Comments or suggestions that are made by one call. */
  bulkFeedback: 100,
  /** Suggestions and comments, replies among them, that come in with one text, and the signs of CriticMarkup in it. */
  importedFeedback: 5_000,
  importedSigns: 20_000,
  /** A version of many accepted suggestions names so many of those who made them. */
  namedSuggesters: 20,
  /** Whoever pauses for so long begins a new version. */
  versionPauseMinutes: 10,
  /** A change that takes away more characters is a version of its own. */
  versionRemoved: 200,
  /** Where a version of its own takes away more characters than this, the text before stays one, whoever is writing. */
  versionRemovedKept: 20,
  /** Of the log one call answers so many changes at most, and as few as one where they hold more than so many characters. */
  historyPage: 500,
  historyCharacters: 256 * 1024,
  /** Decided suggestions whose places one call may ask for. */
  decidedMarks: 50,
  /** Of one file, and of all files of one document; less by a share link: of one, and of all that came by it. */
  fileBytes: 25 * 1024 * 1024,
  documentFileBytes: 200 * 1024 * 1024,
  guestFileBytes: 10 * 1024 * 1024,
  linkFileBytes: 50 * 1024 * 1024,
  documentFiles: 2_000,
  /** Gigabytes that all files of the data folder may take until the owner chooses otherwise, and at most, where it is limited. */
  filesGigabytesAtFirst: 20,
  filesGigabytes: 100_000,
  /** Of a picture, in pixels: on a side, and in all. */
  pictureSide: 16_384,
  picturePixels: 100_000_000,
  fileNameLength: 120,
  /** So many days what no document uses any more stays in the data folder. */
  unusedFileDays: 30,
  /** Rounds of review of one document that are kept. */
  rounds: 200,
  roundNoteLength: 2_000,
  /** So many people by one link can say that they are done with a round. */
  roundReviewers: 200,
  /** Of what has changed in a text since somebody read it, so many places are told, */
  wordChanges: 500,
  /** and so many characters of what was taken out. */
  wordChangeCharacters: 64 * 1024,
  /** Of one document, and still open: comments and suggestions by guests, and the bytes of their texts. */
  guestFeedback: 5_000,
  guestFeedbackBytes: 16 * 1024 * 1024,
  /** Of one document: comments by guests, resolved or not, and the bytes of their texts. */
  guestComments: 20_000,
  guestCommentBytes: 32 * 1024 * 1024,
  /**
   * Of one document: characters that guests put into it within a day, while nobody with an account changes it. Then
   * guests can't change the text.
   */
  guestVersions: 256 * 1024 * 1024,
  /** Of a line that a guest makes or makes longer, in UTF-16 code units: browsers are slow at longer ones, for all who look. */
  guestLineLength: 50_000,
  /** An answer is given again for so long; for the days it is known that there was one. */
  idempotencyAnswerHours: 24,
  /** Longer than any browser keeps what it doesn't know the fate of. */
  idempotencyDays: 60,
  /** A longer answer to a guest isn't kept to be given again; that there was one is remembered. */
  guestAnswerBytes: 16 * 1024,
  /** Of one link: so many bytes of answers to guests are kept of a day, and of further ones only that they were given. */
  guestAnswersBytes: 8 * 1024 * 1024,
  /** Of one link: so many, and none that is older. */
  linkVisits: 200,
  linkVisitDays: 90,
  /** What one browser opens again within this time is the same visit. */
  visitMinutes: 30,
  /** So many links that were copied with another address are listed. */
  staleLinks: 500,
  pageSize: 50,
  pageSizeMax: 100,
  /** For how long a revoked link can be brought back. */
  revokedLinkMinutes: 10,
  /** Events are kept for so many days, and so many of them, whichever is less. */
  eventDays: 30,
  events: 1_000_000,
  /** Of events one call answers so many, unless it asks for fewer or more, and never more than that. */
  eventPage: 100,
  eventPageMax: 1_000,
  /** For so many seconds one call may wait for an event, and so many calls at one time, by a key, of an account and in all. */
  eventWaitSeconds: 60,
  keyWaits: 100,
  eventWaits: 300,
  eventWaitsInAll: 1_000,
  /** So many streams of events are open at one time, by a key, of an account and in all. */
  keyStreams: 20,
  eventStreams: 60,
  eventStreamsInAll: 200,
  /** Where nothing happens, a stream says so after so many seconds. */
  eventStreamSeconds: 15,
  /** The same by one share link, for the changes of its text, and by all links together. */
  linkWaits: 50,
  linkWaitsInAll: 500,
  /** Of comments, suggestions and versions, where a limit is asked for at all. */
  listMax: 1_000,
  /** JSON may write one byte of text as six (`\u0000`); a body limit below that would refuse allowed content. */
  documentBodyBytes: 6 * 10 * 1024 * 1024 + 64 * 1024,
  bodyBytes: 2 * 1024 * 1024,
  /** Of one message of an agent: as much as a text may have, and less by a share link, by which none is made. */
  mcpBodyBytes: 6 * 10 * 1024 * 1024 + 64 * 1024,
  linkMcpBodyBytes: 4 * 1024 * 1024,
  /** So many messages of more than this are read at one time, by a key, and in all. */
  mcpLongBytes: 4 * 1024 * 1024,
  mcpKeyLong: 2,
  mcpLong: 4,
  /** So many of their calls wait or listen at one time, by a key, of an account and in all. Others are answered at once. */
  mcpKeyWaits: 50,
  mcpWaits: 120,
  mcpWaitsInAll: 200,
  /** The same by one share link, and by all links together. */
  linkMcpWaits: 10,
  linkMcpWaitsInAll: 100,
  /** Messages of agents in a minute: by one visitor of a link, and by all of them. */
  visitorAgentCallsPerMinute: 120,
  linkAgentCallsPerMinute: 600,
  failedCredentialsPerMinute: 100,
  guestWritesPerMinute: 60,
  /** So many places of a text one change changes. */
  changedPlaces: 1_000,
  /** Of so many words one change says that they were written as others had written them. */
  alikeWords: 100,
  /** Parts of a change that are told with their steps, of each kind. */
  toldSteps: 200,
  /** Right at the words of so many suggestions one change says that it writes. */
  writtenBeside: 100,
  /** What guests type: so many changes by one visitor of a link, and by all of them; larger ones count as writes. */
  guestChangesPerMinute: 900,
  linkChangesPerMinute: 9_000,
  guestChangeBytes: 4 * 1024,
  /** Of what guests have asked for and not yet read: so many bytes through one link, and in all. */
  unreadBytesPerLink: 48 * 1024 * 1024,
  unreadBytes: 96 * 1024 * 1024,
  /** Of long answers to guests so many bytes are made in a minute: for one link, and for one visitor of it. */
  guestReadBytesPerMinute: 1024 * 1024 * 1024,
  visitorReadBytesPerMinute: 256 * 1024 * 1024,
  /** Requests that one connection may have sent before the first is answered. */
  pipelinedRequests: 32,
  /** Selections that guests have found in the source: through one link, and by one visitor of it. */
  guestLocatesPerMinute: 300,
  visitorLocatesPerMinute: 60,
  /** A guest's write counts once more for each of these in its body. */
  guestWriteBytes: 1024 * 1024,
  /** A sign-in link works for so long, and a session ends when nobody has used it for so many days. */
  signInLinkMinutes: 15,
  sessionDays: 30,
  /** So many days documents are kept in the trash until the owner chooses otherwise, and at most, where it is limited. */
  trashDaysAtFirst: 30,
  trashDays: 3_650,
} as const
