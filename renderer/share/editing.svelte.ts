import {
  abandonedDrafts,
  indexedDbDrafts,
  takeOverNewest,
  textsOf,
  type DraftStore,
} from '../editor/drafts.ts'
import type { WaitingFile } from '../editor/files/waiting/waiting-file.ts'
import { collides } from '../editor/left-text.ts'
import { filesMessage, type SaveMessage } from '../editor/save-message.ts'
import { isOverOnceThere } from '../editor/saver.svelte.ts'
import { EditingSession, type SessionNotice } from '../editor/session.svelte.ts'
import { sendLeft } from '../editor/suggesting/sending.ts'
import { Suggester } from '../editor/suggesting/suggester.svelte.ts'
import { UnsentSuggestions } from '../editor/suggesting/unsent-suggestions.ts'
import { quoteOf } from '../feedback/threads.ts'
import { copyText } from '../ui/copy-text.ts'
import { allowedNow } from './explain.ts'
import type { Link } from './link.svelte.ts'
import type { Reader } from './reader.svelte.ts'
import type { SetAside } from './text-editing.svelte.ts'
import type { ShareRoute } from './share-routes.ts'
import type { ClientOf } from '../api/client-of.ts'
import { abandonedFiles } from './left-files.ts'
import { askToPersist } from './outbox/ask-to-persist.ts'
import { rememberDocument } from './known-links.ts'

type Session = EditingSession<ClientOf<ShareRoute>>

/** Opens the current text for editing, with what an earlier visit left unsaved. Rejects when it can’t be had. */
export async function openSession(reader: Reader, { quietly = false } = {}): Promise<Session> {
  rememberDocument(reader.page.token, reader.page.documentId)
  const drafts = indexedDbDrafts()
  const { document, lost } = await reader.offline.newest()
  // What was typed into the text itself waits for whoever may write there.
  const mayWrite = quietly || reader.link.canEdit
  // The text that was written in may be newer than the one that is kept, and only the server can tell the two apart.
  const goOnWith = lost && mayWrite ? await takeOverNewest(drafts, document.id) : null
  if (!mayWrite) await findAside(reader, drafts)
  const session: Session = new EditingSession({
    api: reader.api,
    document,
    goOnWith,
    drafts,
    onNotice: (notice) => {
      if (!quietly) tell(reader, notice)
    },
    authorName: () => reader.guest.name,
    refuseFiles: () =>
      reader.link.access === 'edit'
        ? null
        : 'This link lets you suggest words, but add no files. Ask whoever shared it for a link that may edit.',
    linkToken: reader.page.token,
    onFileKept: () => {
      void askToPersist()
      reader.offline.copy.whenBack().catch(() => undefined)
    },
    keepDocument: (document) => void reader.offline.keepNewer(document),
    diagrams: 'diagrams',
    styleNonce: reader.page.styleNonce,
    onNews: reader.connection.onNews,
    line: reader.connection.line,
    // What is said of the text may have lost its place by it, or have one again.
    onOthers: (revision) => reader.connection.textChanged(revision),
    pollEvery: () => reader.connection.pollEvery(10_000),
  })
  if (lost) session.saver.lose(lost)
  if (mayWrite) await session.abandoned.restore({ isSeen: !quietly })
  // What is being delivered just now is there once it has arrived, or is taken in here where it can’t be.
  if (!quietly)
    void reader.editing.delivering?.then(() => {
      session.abandoned.areLeft ||= mayWrite && reader.editing.unsent
      session.goOnWithLeft()
    })
  return session
}

/** What earlier visits wrote into the text, and the link doesn’t let one write there now, is set aside. */
async function findAside(reader: Reader, drafts: DraftStore): Promise<void> {
  const left = await abandonedDrafts(drafts, reader.page.documentId).catch(() => [])
  for (const draft of left) setAside(reader, { text: textsOf(draft).content, kept: true, at: draft.at })
}

/** The newest stands last. What this window has set aside itself is found among what is left, too. */
function setAside({ editing }: Reader, one: SetAside): void {
  if (editing.setAside.some(({ text }) => text === one.text)) return
  editing.setAside = [...editing.setAside, one].sort((a, b) => a.at - b.at)
}

/**
 * Ends a session with a text. What was typed into that and isn’t taken even now is set aside: it waits for when the link
 * lets one change the text.
 */
export async function closeSession(reader: Reader, session: Session): Promise<void> {
  const areFilesLeft = await session.files.areLeft()
  await session.close()
  const { content, keeper, unsaved, suggests } = session
  if (unsaved) setAside(reader, { text: content, kept: keeper.kept, at: Date.now() })
  reader.editing.unsent =
    areFilesLeft ||
    unsaved ||
    suggests?.isUnsent === true ||
    session.abandoned.areLeft ||
    reader.editing.setAside.length > 0
}

/** Goes on with what was set aside, once the link lets one change the text. */
export async function takeUpAside(reader: Reader, session: Session): Promise<void> {
  await session.abandoned.mayBeWritten()
  reader.editing.setAside = []
  reader.editing.unsent ||= session.unsaved
}

/** Sends what an earlier visit left behind: changes of the text first, since suggestions may be about it. */
export async function deliverLeft(reader: Reader): Promise<void> {
  const mayEdit = reader.link.access === 'edit'
  const left = mayEdit ? await deliverEdits(reader) : 'nothing'
  if (left === 'text') return
  if (mayEdit) reader.editing.setAside = []
  await deliverSuggestions(reader)
  reader.editing.unsent = left === 'files' || (await waitsForPermission(reader))
}

/** Whether changes of the text were left behind that the link doesn’t let one make now. */
async function waitsForPermission({ link, page }: Reader): Promise<boolean> {
  if (link.access === 'edit') return false
  return (await abandonedDrafts(indexedDbDrafts(), page.documentId)).length > 0
}

/** Sends what was suggested by typing. Rejects where that can’t be now; then it is kept. */
async function deliverSuggestions(reader: Reader): Promise<void> {
  const unsent = new UnsentSuggestions(reader.page.documentId, { sends: true })
  const taken = { made: 0, withdrawn: 0 }
  try {
    await sendLeft(sendingOf(reader), await unsent.takeLeft(), (one, isTaken) => {
      const more = unsent.sent(one, isTaken)
      if (isTaken && !more) taken[one.isWithdrawn ? 'withdrawn' : 'made']++
      return more
    })
  } finally {
    unsent.release()
    const told = toldOf(taken)
    if (told) reader.notices.say(`Delivered: ${told}.`)
  }
}

function toldOf({ made, withdrawn }: { made: number; withdrawn: number }): string | null {
  if (made > 0) return made === 1 ? 'your suggestion' : `your ${made} suggestions`
  if (withdrawn > 0)
    return withdrawn === 1 ? 'the suggestion is withdrawn' : `${withdrawn} suggestions are withdrawn`
  return null
}

/**
 * Sends changes of the text that an earlier visit left behind, merged with what has become of it. Where both changed
 * the same words nothing is sent until somebody has looked at it. Answers what is left.
 */
async function deliverEdits(reader: Reader): Promise<'nothing' | 'files' | 'text'> {
  const { documentId } = reader.page
  const left = await abandonedDrafts(indexedDbDrafts(), documentId)
  const files = await abandonedFiles(documentId)
  const due = files.filter(({ refusal, way }) => refusal === null && way === 'editing')
  if (left.length === 0 && due.length === 0) {
    const [file] = files
    if (file) tellWaiting(reader, file)
    return 'nothing'
  }
  const params = { id: documentId }
  const document = await reader.api.call('getDocument', { params })
  const changesOf = (client: string, since: number) =>
    reader.api.call('listChanges', { params, query: { since, ...(client === '' ? {} : { client }) } })
  const all = await Promise.all(left.map((draft) => collides(draft, document, changesOf)))
  if (all.includes(true)) {
    if (reader.editing.collides) return 'text'
    reader.editing.collides = true
    reader.notices.say('You and someone else changed the same words.', false, {
      label: 'Look at it',
      act: () => reader.edit(),
    })
    return 'text'
  }
  let areRefused
  const session = await openSession(reader, { quietly: true })
  try {
    if (session.abandoned.areLeft) throw new Error('What the server has of it can’t be told now.')
    await session.saveNow()
    areRefused = (await session.deliverFiles()).areRefused
    await session.saveNow()
    reader.notices.say('Delivered: your changes to the text.')
  } finally {
    await session.close()
  }
  await reader.show()
  return areRefused ? 'files' : 'nothing'
}

/** Where a file waits that only somebody who looks at it can bring further. */
function tellWaiting(reader: Reader, { name, refusal, way }: WaitingFile): void {
  const why = refusal === null ? 'It is added when you go on suggesting.' : refusal
  reader.notices.say(`${name} isn’t in the text yet. ${why}`, refusal !== null, {
    label: 'Look at it',
    act: () => reader.edit(way),
  })
}

/** How saving goes, for a guest. What it says at length is what won’t go by itself. */
export function savingOf(session: Session, reader: Reader): SaveMessage {
  const { saver, keeper, readOnly } = session
  if (readOnly) return endOf(session, reader.link)
  const { state } = saver
  switch (state.kind) {
    case 'saved':
      return unlessWaiting(session, reader)
    case 'waiting':
    case 'saving':
      return saver.slow ? saving : unlessWaiting(session, reader)
    case 'failed': {
      const kept = keeper.kept ? 'Your text is kept in this browser' : 'Keep this page open'
      const stuck = (reason: string, next = '') => {
        const long = { why: `Not saved: ${reason}.`, now: `${kept}${next}.` }
        return { short: 'Not saved', long, aloud: `${long.why} ${long.now}` }
      }
      // Whatever the link has to do with it is being asked by now, and said then.
      const isLost = isOverOnceThere(state)
      if (isLost && keeper.kept) {
        // Above the text the page says why, and aloud, too.
        return { short: 'Kept here, will be delivered', long: null, aloud: '' }
      }
      return stuck(
        isLost ? 'no connection' : lowerFirst(state.reason.replace(/\.$/, '')),
        state.retryAt === null ? '' : ', and saving is tried again by itself',
      )
    }
  }
}

/** What sending suggestions takes, with or without an editor. */
const sendingOf = (reader: Reader) => ({
  api: reader.api,
  documentId: reader.page.documentId,
  list: reader.feedback.suggestionList,
  signature: () => reader.guest.signature,
  load: () => reader.feedback.load(),
  onMade: (name: string, id: string) => reader.isMade(name, id),
  onRefused: (words: string, reason: string) =>
    reader.notices.say(`A suggestion from before couldn’t be sent: ${lowerFirst(reason)}.`, true, {
      label: 'Copy its words',
      act: () => void copyText(words),
    }),
})

/** What suggests by typing in a text that is open. */
export const suggesterOf = (reader: Reader, session: Session): Suggester =>
  new Suggester({
    ...sendingOf(reader),
    saved: () => session.saveNow(),
    onRejected: (words) =>
      reader.notices.say(`“${quoteOf(words, 60)}” wasn’t taken. What you typed since stays.`),
  })

const saving: SaveMessage = { short: 'Saving…', long: null, aloud: '' }

/** What is said where all that was written in an editor is saved. */
function unlessWaiting({ abandoned, files }: Session, { editing }: Reader): SaveMessage {
  const say = (short: string) => ({ short, long: null, aloud: '' })
  // What an earlier visit left isn’t in the editor before it has been sent.
  if (abandoned.areLeft) return say('Kept here, will be delivered')
  if (editing.delivering) return say('Saving…')
  return filesMessage(files.waits) ?? say('Saved')
}

/** How the suggestions get to the server that are made by typing. */
export function savingOfSuggestions(suggester: Suggester, session: Session, reader: Reader): SaveMessage {
  const { link } = reader
  const { state, kept, slow } = suggester
  if (!link.maySuggestNow) {
    const why = link.isDead ? 'This link no longer works.' : allowedNow[link.access]
    const now = suggester.isUnsent
      ? 'What you suggested last couldn’t be sent. It still stands here, to be copied.'
      : 'All that you suggested has been sent.'
    return {
      short: suggester.isUnsent ? 'Kept here' : 'Saved',
      long: { why, now },
      isCalm: true,
      aloud: `${why} ${now}`,
    }
  }
  if (state.kind !== 'failed') return slow || suggester.catchesUp ? saving : unlessWaiting(session, reader)
  const isLost = isOverOnceThere(state)
  if (isLost && kept) return { short: 'Kept here, will be delivered', long: null, aloud: '' }
  const why = `Not sent: ${lowerFirst(state.reason.replace(/\.$/, ''))}.`
  const now = kept ? 'What you suggest is kept in this browser.' : 'Keep this page open.'
  return { short: 'Not sent', long: { why, now }, aloud: `${why} ${now}` }
}

/** What is said where the link lets nobody write any more. */
function endOf({ keeper, unsaved }: Session, { isDead, access }: Link): SaveMessage {
  const why = isDead ? 'This link no longer works.' : allowedNow[access]
  const fate = keeper.kept ? 'It is kept in this browser.' : 'Copy it before you close this page.'
  const now = unsaved ? `What you wrote last couldn’t be saved. ${fate}` : 'All that you wrote is saved.'
  const short = !unsaved ? 'Saved' : keeper.kept ? 'Kept here' : 'Not saved'
  return { short, long: { why, now }, isCalm: true, aloud: `${why} ${now}` }
}

function tell(reader: Reader, notice: SessionNotice): void {
  if (notice.kind === 'restored') reader.notices.say('Text you had not sent before is back in its place.')
  else if (notice.kind === 'file-refused') reader.notices.say(notice.message)
  else if (notice.kind === 'plain')
    reader.notices.say('The text is shown plain. It can be read and written all the same.')
  else if (notice.kind === 'diverged') {
    reader.notices.say('The text was loaded anew. What was here can be copied.', false, {
      label: 'Copy it',
      act: () => void copyText(notice.text),
    })
  }
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)
