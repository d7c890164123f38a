import type { ApiClient } from '../../api/client.ts'
import { EditingSession } from '../../editor/session.svelte.ts'
import { titleFrom } from '../../../server/domain/title.ts'

/** What a document is called that nobody has named. */
const unnamed = 'Untitled'

/** The owner’s open document. Its title follows the text’s first heading until a person names it. */
export class OwnerSession extends EditingSession<ApiClient> {
  /** The title that the text gave when it was last looked at. */
  #given: string
  #isNamed = false

  constructor(options: ConstructorParameters<typeof EditingSession<ApiClient>>[0]) {
    super(options)
    this.#given = titleFrom(options.document.content)
  }

  /** Nobody has named the document, nor written anything into it. */
  get isBlank(): boolean {
    const title = this.title.trim()
    return this.content.trim() === '' && (title === '' || title === unnamed)
  }

  override rename(title: string): void {
    // Who takes the title away leaves it to the text again.
    this.#isNamed = title.trim() !== ''
    super.rename(title)
  }

  /** Whether the title is the text’s and nobody’s: the one it gave so far, none, or the one that all begin with. */
  get #follows(): boolean {
    const title = this.title.trim()
    return !this.#isNamed && (title === '' || title === unnamed || this.title === this.#given)
  }

  /** The text may have another first heading. */
  followHeading(): void {
    const given = titleFrom(this.content)
    if (given === this.#given) return
    const follows = this.#follows
    this.#given = given
    if (follows && this.title !== given) super.rename(given)
  }

  /** The title was left; where nothing stands in it, the text’s own takes its place. */
  leaveTitle(): void {
    this.#given = titleFrom(this.content)
    if (this.title.trim() === '' && this.#given !== unnamed) super.rename(this.#given)
  }

  override saveNow(): Promise<void> {
    this.followHeading()
    return super.saveNow()
  }

  override settle(): Promise<void> {
    this.followHeading()
    return super.settle()
  }

  override close(): Promise<void> {
    this.followHeading()
    return super.close()
  }
}
