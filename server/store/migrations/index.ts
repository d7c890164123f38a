import type Database from 'better-sqlite3'
import start from './0001-start.ts'
import keptAnswers from './0002-kept-answers.ts'
import stoppedSharing from './0003-stopped-sharing.ts'
import copiedLinks from './0004-copied-links.ts'
import linkOpenings from './0005-link-openings.ts'
import revokedLinks from './0006-revoked-links.ts'
import madeBy from './0007-made-by.ts'
import trash from './0008-trash.ts'
import documentStarts from './0009-document-starts.ts'
import seenFeedback from './0010-seen-feedback.ts'
import searchWords from './0011-search-words.ts'
import unbrokenLog from './0012-unbroken-log.ts'
import namesOfToday from './0013-names-of-today.ts'
import events from './0014-events.ts'
import versionNames from './0015-version-names.ts'
import searchParts from './0016-search-parts.ts'
import linksOpenSince from './0017-links-open-since.ts'
import linksHidePeople from './0018-links-hide-people.ts'
import reopenedSuggestions from './0019-reopened-suggestions.ts'
import linksSuggestOnly from './0020-links-suggest-only.ts'
import hiddenAuthors from './0021-hidden-authors.ts'
import suggestionReplies from './0022-suggestion-replies.ts'
import rounds from './0023-rounds.ts'
import editedComments from './0024-edited-comments.ts'
import cleanings from './0025-cleanings.ts'
import acceptedWords from './0026-accepted-words.ts'
import files from './0027-files.ts'
import unusedBlobs from './0028-unused-blobs.ts'
import kindsOfKeys from './0029-kinds-of-keys.ts'
import namedRounds from './0030-named-rounds.ts'
import reactions from './0031-reactions.ts'
import webhooks from './0032-webhooks.ts'
import linksForAgents from './0033-links-for-agents.ts'
import guests from './0034-guests.ts'
import roomForFiles from './0035-room-for-files.ts'
import orderOfIndexed from './0036-order-of-indexed.ts'
import goneHiddenWords from './0037-gone-hidden-words.ts'
import whoDidIt from './0038-who-did-it.ts'
import noReopenedRevision from './0039-no-reopened-revision.ts'
import editedSuggestions from './0040-edited-suggestions.ts'
import colours from './0041-colours.ts'

/** SQL, or what SQL alone can't do; told how far it is. */
export type Migration =
  string | ((db: Database.Database, onProgress: (done: number, of: number) => void) => void)

/** In order; a database's `user_version` counts how many of them it has. Once released, one never changes. */
export const migrations: readonly Migration[] = [
  start,
  keptAnswers,
  stoppedSharing,
  copiedLinks,
  linkOpenings,
  revokedLinks,
  madeBy,
  trash,
  documentStarts,
  seenFeedback,
  searchWords,
  unbrokenLog,
  namesOfToday,
  events,
  versionNames,
  searchParts,
  linksOpenSince,
  linksHidePeople,
  reopenedSuggestions,
  linksSuggestOnly,
  hiddenAuthors,
  suggestionReplies,
  rounds,
  editedComments,
  cleanings,
  acceptedWords,
  files,
  unusedBlobs,
  kindsOfKeys,
  namedRounds,
  reactions,
  webhooks,
  linksForAgents,
  guests,
  roomForFiles,
  orderOfIndexed,
  goneHiddenWords,
  whoDidIt,
  noReopenedRevision,
  editedSuggestions,
  colours,
]

export function runMigration(
  db: Database.Database,
  step: Migration,
  onProgress: (done: number, of: number) => void = () => {},
) {
  if (typeof step === 'string') db.exec(step)
  else step(db, onProgress)
}
