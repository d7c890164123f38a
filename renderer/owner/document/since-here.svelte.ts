import type { WordChanges } from '../../../server/contract/records/changes.ts'
import type { VersionSummary } from '../../../server/contract/records/versions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { ApiError } from '../../api/client.ts'
import { goToChangedWords, showChangedWords } from '../../editor/changed-words.ts'
import type { Editor } from '../../editor/editor.ts'
import { LastRead } from '../../reading/last-read.svelte.ts'
import { authorWords } from '../versions/version-words.ts'
import type { OwnerSession } from './session.svelte.ts'

/** So many of those who wrote are named. */
const mostNames = 3

/** What others have made of the text since its owner was last in it here, and the way from one change to the next. */
export class SinceHere {
  #found = $state.raw<WordChanges | null>(null)
  /** Who made them, as one reads it. */
  by = $state('')
  /** Whether they stand in the text. */
  shown = $state(false)
  /** The one that is looked at. */
  at = $state(-1)
  readonly #session: OwnerSession
  readonly #lastHere: LastRead
  readonly #user: string | undefined
  /** Whether there may be something that wasn’t seen here. */
  #isBehind = true
  #isLooking = false

  readonly changes = $derived.by(() => this.#found?.changes ?? [])
  /** Whether the text here has come to where they are known. */
  readonly isHere = $derived.by(
    () => this.#found !== null && this.#session.document.revision >= this.#found.revision,
  )
  readonly more = $derived(this.#found?.more === true)

  constructor(session: OwnerSession, user: string | undefined) {
    this.#session = session
    this.#user = user
    this.#lastHere = new LastRead(session.document.id, 'written')
  }

  /** When the text was last seen here. */
  get since(): string | null {
    return this.#lastHere.at
  }

  /** What comes while the text is in view is seen as it comes. */
  seen(revision: number): void {
    if (!this.#isBehind && this.#lastHere.revision !== revision) this.#lastHere.note(revision)
  }

  /** Asks what others have changed since, when the text comes into view. */
  async look(): Promise<void> {
    if (this.#found || this.#isLooking) return
    this.#lastHere.lookAgain()
    const since = this.#lastHere.revision
    const { document } = this.#session
    this.#isBehind = since !== null && since < document.revision
    if (since === null || !this.#isBehind) return this.seen(document.revision)
    this.#isLooking = true
    try {
      this.#found = await this.#ask(since)
      this.#isBehind = this.#found !== null
    } catch (error) {
      // Nobody knows that text any more. Where nobody answers, it is asked for when the text is looked at again.
      this.#isBehind = !(error instanceof ApiError && error.code === 'PRECONDITION_FAILED')
    } finally {
      this.#isLooking = false
    }
    this.seen(this.#session.document.revision)
  }

  /** Null where others have changed nothing that is to be seen. */
  async #ask(since: number): Promise<WordChanges | null> {
    const { api, document } = this.#session
    const params = { id: document.id }
    const versions = await api.call('listVersions', { params, query: { since } })
    const others = versions.filter((version) => !this.#isOwn(version))
    if (others.length === 0) return null
    const found = await api.call('listWordChanges', { params, query: { since } })
    if (found.changes.length === 0) return null
    this.by = namesOf(others)
    return found
  }

  #isOwn({ author_id, author_kind }: VersionSummary): boolean {
    return author_kind === 'person' && author_id === this.#user
  }

  /** Draws them in the text. Returns what takes them away. */
  paint(editor: Editor): () => void {
    const found = this.#found
    if (!found) return () => undefined
    const places = found.changes.map(({ start, end, removed }) => {
      const place = this.#session.placeNow({ start, end }, found.revision)
      return place && { ...place, removed: toLf(removed) }
    })
    showChangedWords(
      editor.view,
      // One that has gone from the text since stands nowhere, and keeps its number.
      places.map((place) => place ?? { from: 0, to: 0, removed: '' }),
    )
    return () => showChangedWords(editor.view, [])
  }

  /** The words that a change has put in, as they are now. */
  addedBy({ start, end }: WordChanges['changes'][number], editor: Editor): string {
    const place = this.#found && this.#session.placeNow({ start, end }, this.#found.revision)
    return place ? editor.view.state.sliceDoc(place.from, place.to) : ''
  }

  show(): void {
    this.shown = true
    this.at = 0
  }

  /** To the next or the one before, round and round; shows them first, where they aren’t yet. */
  step(by: 1 | -1): void {
    const { length } = this.changes
    if (length === 0) return
    const from = this.shown ? this.at : by === 1 ? -1 : 0
    this.shown = true
    this.at = (from + by + length) % length
  }

  goTo(editor: Editor): void {
    if (this.shown) goToChangedWords(editor.view, this.at)
  }

  putAway(): void {
    this.shown = false
    this.at = -1
    this.#found = null
    this.#isBehind = false
    this.#lastHere.note(this.#session.document.revision)
  }
}

function namesOf(versions: readonly VersionSummary[]): string {
  const names = [...new Set(versions.map(authorWords))]
  const more = names.length - mostNames
  return new Intl.ListFormat('en').format(
    more > 0 ? [...names.slice(0, mostNames), more === 1 ? 'another' : `${more} others`] : names,
  )
}
