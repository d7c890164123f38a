import type { ApiClient } from '../../api/client.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import { EditingSession } from '../../editor/session.svelte.ts'
import { isGivenByProgram, searchedVersions } from './title-origin.ts'
import { titleFrom, titleSearched } from '../../../server/domain/title.ts'

/** What a document is called that nobody has named. */
const unnamed = 'Untitled'

type Options = ConstructorParameters<typeof EditingSession<ApiClient>>[0] & Pick<DocumentSession, 'answers'>

/**
 * The owner’s open document. Its title follows the text’s first heading until a person names it, and only as its owner
 * writes that, or accepts or restores it: what others do to the heading names nothing in the owner’s library. A title that a
 * program has given stays, also where the heading says the same.
 */
export class OwnerSession extends EditingSession<ApiClient> {
  readonly answers: DocumentSession['answers']
  /** The title that the text gave when it was last looked at. */
  #given: string
  /** Whether the title is the text’s and nobody’s: the one it gave so far, none, or the one that all begin with. */
  #follows: boolean
  /** Which question is out whether a program has given the title: until it is answered the title stays. */
  #asking: symbol | null = null
  /** Whether what comes in is what the owner has just decided here. */
  #isDecided = false

  constructor({ answers, ...options }: Options) {
    super(options)
    this.answers = answers
    this.#given = titleFrom(options.document.content)
    this.#follows = this.#isGiven()
    void this.#askWhoNamed()
  }

  /** A title that is the heading’s may have been taken from it, or be meant. */
  async #askWhoNamed(): Promise<void> {
    const title = this.title.trim()
    if (!this.#follows || title === '' || title === unnamed) return
    const asking = (this.#asking = Symbol())
    const follows = await this.api
      .call('listVersions', { params: { id: this.document.id }, query: { limit: searchedVersions } })
      .then((versions) => !isGivenByProgram(versions))
      .catch(() => false)
    if (this.#asking !== asking) return
    this.#asking = null
    this.#follows = follows
    this.followHeading()
  }

  #titleInText(): string {
    return titleFrom(this.beginning(titleSearched))
  }

  #isGiven(): boolean {
    const title = this.title.trim()
    return title === '' || title === unnamed || this.title === this.#given
  }

  /** Nobody has named the document, nor written anything into it. */
  get isBlank(): boolean {
    const title = this.title.trim()
    return this.content.trim() === '' && (title === '' || title === unnamed)
  }

  override rename(title: string): void {
    // Who takes the title away leaves it to the text again.
    this.#follows = title.trim() === ''
    this.#asking = null
    super.rename(title)
  }

  /** The text may have another first heading. */
  followHeading(): void {
    if (this.#asking) return
    const given = this.#titleInText()
    if (given === this.#given) return
    this.#given = given
    if (this.#follows && this.title !== given) super.rename(given, true)
  }

  protected override arrive(bring: () => void): void {
    // What was written here so far is the owner's.
    this.followHeading()
    const { title } = this
    super.arrive(bring)
    const isRenamed = this.title !== title
    if (this.#isDecided && !isRenamed) return
    this.#given = this.#titleInText()
    if (!isRenamed) return
    this.#follows = this.#isGiven()
    this.#asking = null
    void this.#askWhoNamed()
  }

  /** Shows what the owner has done to the document elsewhere than in its text, such as accepting a suggestion. */
  override async refresh(): Promise<void> {
    this.#isDecided = true
    try {
      await super.refresh()
    } finally {
      this.#isDecided = false
    }
    this.followHeading()
  }

  /** The title was left; where nothing stands in it, the text’s own takes its place. */
  leaveTitle(): void {
    this.#given = this.#titleInText()
    if (this.title.trim() === '' && this.#given !== unnamed) super.rename(this.#given, true)
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
