import { limits } from '../../../server/contract/limits.ts'
import { leftByGuests } from '../../../server/domain/guest-versions.ts'
import type { Segment } from '../../../server/domain/diff-segments.ts'
import type { VersionSummary } from '../../../server/contract/records/versions.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import { compareTexts } from '../../feedback/compare.ts'
import { ApiError } from '../../api/client-of.ts'
import { explain } from '../explain.ts'
import { foldDiff, unfold, type DiffBlock, type NumberedSegment } from '../../feedback/folded-diff.ts'
import { copyText } from '../../ui/copy-text.ts'
import { undoing, type Notify } from '../../ui/notice.ts'
import { broughtBack, passagesOf, takenBack, type ChangedPassage } from './passages.ts'
import { sessionChanges, writtenMeanwhile } from './session-changes.ts'
import { VersionList } from './version-list.svelte.ts'
import { VersionTexts } from './version-texts.ts'

/**
 * What a version is held against: the version before it (what it changed), the current text (what restoring would do), or
 * the text at any other revision.
 */
export type Against = 'before' | 'current' | number

/** So long a text is compared with the present one before something is written there, in milliseconds. */
const longestCompared = 30_000

interface Comparison {
  revision: number
  against: Against
  segments: readonly NumberedSegment[]
  /** The same with unchanged stretches folded. */
  blocks: readonly DiffBlock[]
  passages: readonly ChangedPassage[]
  /** The younger of the two texts. */
  after: string
}

/** The versions of an open document, the one being looked at, and restoring it. */
export class Versions {
  readonly #session: DocumentSession
  readonly #notify: Notify
  readonly #texts: VersionTexts
  #comparing: AbortController | null = null

  readonly #list: VersionList
  /** The revision of the version being looked at. */
  selected = $state<number | null>(null)
  against = $state<Against>('before')
  comparison = $state.raw<Comparison | null>(null)
  /** Why there is no comparison; null while there is one or it is on its way. */
  comparisonProblem = $state<string | null>(null)
  restoring = $state(false)
  /** Which of the changes is looked at; -1 for none. */
  at = $state(-1)
  /** Whether the history is played, and the revision that somebody wants to see of it first. */
  history = $state.raw<{ from: number | null } | null>(null)

  /** As it was when somebody began to look at it: a session goes on under another revision. */
  #looked = $state.raw<VersionSummary | null>(null)

  readonly version = $derived(this.list.find(({ revision }) => revision === this.selected) ?? this.#looked)
  readonly isCurrent = $derived(this.version !== null && this.version.revision === this.list[0]?.revision)

  /** The versions of others that were written while the one that is looked at was. */
  readonly meanwhile = $derived(this.version ? writtenMeanwhile(this.list, this.version) : [])

  /** Whether what the version changed isn’t known any more, since all before it was forgotten: then its text is shown. */
  readonly isWithoutBefore = $derived(
    this.against === 'before' &&
      this.version !== null &&
      !this.pages.hasEarlier &&
      this.version.revision === this.list.at(-1)?.revision &&
      this.version.added - this.version.removed !== this.version.size,
  )

  constructor(session: DocumentSession, notify: Notify) {
    this.#session = session
    this.#notify = notify
    this.#texts = new VersionTexts(session.api, session.document.id)
    this.#list = new VersionList(session)
  }

  /** Those that are loaded, the newest first. */
  get list(): readonly VersionSummary[] {
    return this.#list.all
  }
  /** The list as it is looked at. */
  get pages(): VersionList {
    return this.#list
  }
  get loading(): boolean {
    return this.#list.loading
  }
  get problem(): string | null {
    return this.#list.problem
  }

  /** Rejects when the list couldn’t be fetched; what is shown stays and `problem` says why. */
  load(): Promise<void> {
    return this.#list.load()
  }

  /** Looks at a version; null goes back to the list. */
  async select(revision: number | null, against: Against = this.against): Promise<void> {
    this.selected = revision
    if (this.#looked?.revision !== revision)
      this.#looked = this.list.find((version) => version.revision === revision) ?? null
    this.against = against
    this.comparison = null
    this.at = -1
    await this.#look()
  }

  /** Compares anew; what is shown stays until then. */
  async #look(): Promise<void> {
    const { selected: revision, against } = this
    this.comparisonProblem = null
    this.#comparing?.abort()
    if (revision === null) return
    const comparing = (this.#comparing = new AbortController())
    try {
      const segments = await this.#compare(revision, against, comparing.signal)
      if (comparing.signal.aborted) return
      const { segments: numbered, passages, after } = passagesOf(segments)
      this.comparison = {
        ...{ revision, against, passages, after },
        segments: numbered,
        blocks: foldDiff(numbered),
      }
      this.at = Math.min(this.at, passages.length - 1)
    } catch (error) {
      if (!comparing.signal.aborted) this.comparisonProblem = explain(error, 'compare the two texts')
    }
  }

  /** Shows more of the unchanged lines folded at a place of the comparison. */
  unfold(block: DiffBlock): void {
    if (!this.comparison || block.kind !== 'fold') return
    const blocks = this.comparison.blocks.flatMap((other) => (other === block ? unfold(block) : [other]))
    this.comparison = { ...this.comparison, blocks }
  }

  /** Goes to the next change or the one before, round and round. */
  step(by: 1 | -1): void {
    const length = this.comparison?.passages.length ?? 0
    if (length === 0) return
    this.at = this.at < 0 ? (by > 0 ? 0 : length - 1) : (this.at + by + length) % length
  }

  /** Brings the older words of some changes back into the text as it is now, as far as their places stand there. */
  async bringBack(chosen: readonly number[]): Promise<void> {
    const { comparison } = this
    const passages = chosen.flatMap((one) => comparison?.passages[one] ?? [])
    if (!comparison || passages.length === 0 || this.restoring) return
    this.restoring = true
    try {
      const { undo, missed, done } = await this.#write(comparison.after, passages)
      const words = missed.map(({ removed }) => removed.trim()).filter((one) => one !== '')
      const copy = { label: 'Copy the words', run: () => void copyText(words.join('\n\n')) }
      if (missed.length > 0)
        this.#notify({
          kind: 'error',
          text: missedWords(missed.length, passages.length),
          ...(words.length > 0 ? { action: copy } : {}),
        })
      if (undo) this.#notify({ kind: 'success', text: doneWords(done), action: undoing(undo) })
      else if (missed.length === 0)
        this.#notify({ kind: 'info', text: 'The text reads so already; nothing was written.' })
      if (undo && comparison.against === 'current') await this.#look()
    } catch (error) {
      this.#fail(error, 'bring that back')
    } finally {
      this.restoring = false
    }
  }

  /** Writes older words at the places of passages of a text, wherever these are by now. */
  async #write(after: string, passages: readonly ChangedPassage[]) {
    const { content: present, since } = await this.#since(after)
    const found = broughtBack(passages, since)
    const replacements = found.filter((one) => one !== null && one !== 'done')
    const missed = passages.filter((_, i) => found[i] === null)
    const done = passages.filter((_, i) => found[i] !== null && found[i] !== 'done')
    if (replacements.length === 0) return { undo: null, missed, done }
    this.#session.write(replacements)
    const written = this.#session.content
    const undo = () => void this.#unwrite(written, takenBack(replacements, present))
    return { undo, missed, done }
  }

  async #unwrite(after: string, passages: readonly ChangedPassage[]): Promise<void> {
    try {
      const { missed } = await this.#write(after, passages)
      if (missed.length > 0)
        this.#notify({ kind: 'error', text: 'The place has changed since, so it stays as it is.' })
      if (this.comparison?.against === 'current') await this.#look()
    } catch (error) {
      this.#fail(error, 'undo')
    }
  }

  /** What has become of a text up to this moment. */
  async #since(after: string): Promise<{ content: string; since: Segment[] }> {
    const signal = AbortSignal.timeout(longestCompared)
    for (;;) {
      const { content } = this.#session
      const since = await compareTexts(after, content, signal)
      if (this.#session.content === content) return { content, since }
    }
  }

  /** Whether guests have left so much that the server takes no more of their changes for now. */
  refusesGuests(now: number): boolean {
    const left = this.list.map(({ author_id, created_at, added }) => ({
      byGuest: author_id === null,
      at: Date.parse(created_at),
      added,
    }))
    return leftByGuests(left, now) >= limits.guestVersions
  }

  /** The text of a version. */
  text(revision: number): Promise<string> {
    return this.#texts.get(revision)
  }

  /** Whether the text has older states than this version: other versions, or such as were written on the way to one. */
  hasOlder(revision: number): boolean {
    const version = this.list.find((one) => one.revision === revision)
    const isOlder = (one: VersionSummary) => one.revision < revision || one.started_at < version!.created_at
    return !version || this.pages.hasEarlier || this.list.some(isOlder)
  }

  /** Texts that were fetched, and the list, may be others now. */
  async forgotten(): Promise<void> {
    this.#texts.forget()
    this.#list.forget()
    await this.select(null)
    await this.load()
  }

  /** Plays how the text came to be, from a version on or as it is now. */
  play(from: number | null = null): void {
    void this.select(null)
    this.history = { from }
  }

  /**
   * Makes the text of a revision the current one, as a new version; what was there can be brought back. Answers whether
   * that was done.
   */
  async restore(revision: number, said = 'Version restored.'): Promise<boolean> {
    if (this.restoring) return false
    this.restoring = true
    try {
      await this.#session.saveNow()
      // Whatever others have written by then is in the history, and comes back with the undo.
      const { revision: after, content } = await this.#restore(revision)
      const hasChanged = this.list.some((one) => one.revision === after && one.kind === 'restore')
      this.#notify({
        kind: 'success',
        text: said,
        ...(hasChanged ? { action: undoing(() => void this.#undo(after - 1, content)) } : {}),
      })
      await this.select(null)
      return true
    } catch (error) {
      this.#fail(error, 'restore the version')
      return false
    } finally {
      this.restoring = false
    }
  }

  /** Gives a version a name, or takes it away; answers whether that was done. */
  async rename(revision: number, name: string | null): Promise<boolean> {
    try {
      const params = { ...this.#document, revision }
      const renamed = await this.#session.api.call('updateVersion', { params, body: { name } })
      this.#looked = renamed
      this.#list.put(renamed)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND')
        this.#notify({
          kind: 'error',
          text: 'This version has gone on since. Choose it from the list again to name it.',
        })
      else this.#fail(error, 'name the version')
      await this.load().catch(() => {})
      return false
    }
  }

  /** Where a file of the document is. */
  readonly fileUrl = (file: string): string =>
    this.#session.api.url('getFile', { params: { ...this.#document, file } })

  get #document() {
    return { id: this.#session.document.id }
  }

  /** Brings back what a text was before it became `restored`. Where somebody has written since, that stays. */
  async #undo(before: number, restored: string): Promise<void> {
    try {
      await this.#session.saveNow()
      const isSame = this.#session.content === restored
      const missed =
        (isSame ? await this.#restoreUnchanged(before) : null) ?? (await this.#putBack(before, restored))
      if (missed === 0)
        this.#notify({
          kind: 'success',
          text: `The text is as it was before${isSame ? '' : ', with what was written since'}.`,
        })
      else
        this.#notify({
          kind: 'error',
          text: 'What was written since stays. Where that is, the text couldn’t be put back; it is in the versions.',
        })
    } catch (error) {
      this.#fail(error, 'undo')
    }
  }

  /** Restores a text if nobody has written since; else null. */
  async #restoreUnchanged(revision: number): Promise<0 | null> {
    try {
      await this.#restore(revision, this.#session.document.revision)
      return 0
    } catch (error) {
      if (error instanceof ApiError && error.code === 'PRECONDITION_FAILED') return null
      throw error
    }
  }

  /** Takes back what made a text of the one at a revision, wherever that stands now; answers how many places it missed. */
  async #putBack(revision: number, after: string): Promise<number> {
    const signal = AbortSignal.timeout(longestCompared)
    const { passages } = passagesOf(await compareTexts(await this.text(revision), after, signal))
    const { missed } = await this.#write(after, passages)
    await this.#session.saveNow()
    return missed.length
  }

  /** Restores a text, if given only where the document still stands at `current`. */
  async #restore(revision: number, current?: number) {
    const document = await this.#session.api.call('restoreRevision', {
      params: { ...this.#document, revision },
      ...(current === undefined ? {} : { ifMatch: current }),
    })
    await this.#session.refresh()
    await this.load().catch(() => {})
    return document
  }

  async #compare(revision: number, against: Against, signal: AbortSignal): Promise<Segment[]> {
    if (against === 'current') {
      return compareTexts(await this.text(revision), this.#session.content, signal)
    }
    if (against !== 'before') {
      const [first, second] = [Math.min(revision, against), Math.max(revision, against)]
      const [old, young] = await Promise.all([this.text(first), this.text(second)])
      return compareTexts(old, young, signal)
    }
    if (this.list.at(-1)?.revision === revision) await this.#list.loadEarlier()
    if (this.isWithoutBefore) return [{ kind: 'same', text: await this.text(revision) }]
    const version = this.version
    if (version?.revision === revision && this.meanwhile.length > 0) {
      const { api } = this.#session
      const text = (revision: number) => this.text(revision)
      const own = await sessionChanges(api, this.#document.id, this.list, version, text)
      if (own) return own
    }
    const before = this.list.find((version) => version.revision < revision)
    const [old, young] = await Promise.all([before ? this.text(before.revision) : '', this.text(revision)])
    return compareTexts(old, young, signal)
  }

  #fail(error: unknown, doing: string): void {
    this.#notify({ kind: 'error', text: explain(error, doing) })
  }
}

function missedWords(missed: number, all: number): string {
  if (all === 1) return 'This place of the text has changed since, so nothing was written there.'
  if (missed === all) return 'These places of the text have changed since, so nothing was written there.'
  return missed === 1
    ? 'One of the places has changed since, so nothing was written there.'
    : `${missed.toLocaleString()} of the places have changed since, so nothing was written there.`
}

function doneWords(done: readonly ChangedPassage[]): string {
  if (done.every(({ removed }) => removed.trim() === '')) return 'Taken out.'
  return done.length === 1 ? 'Brought back.' : `${done.length.toLocaleString()} passages brought back.`
}
