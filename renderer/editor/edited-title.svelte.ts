import type { Draft } from './drafts.ts'
import { growsFrom, mergedTitle } from './merged-title.ts'

/** What a draft keeps of a title. */
export type DraftTitle = Pick<Draft, 'title' | 'savedTitle' | 'sentTitle'>

/** A title as the server had it at a revision. */
interface StoredTitle {
  title: string
  revision: number
}

/** How the title of an open document reads here, and what the server last said of it. */
export class EditedTitle {
  /** As it stands here. */
  current = $state('')
  #saved: string
  /** From which revision on it was that. */
  #revision: number
  /** What was sent last, as long as it isn’t known whether the server has taken it. */
  #sent: string | null
  #isSending = false
  /** What has come meanwhile: it may be made of what was sent, or not. */
  #held: StoredTitle | null = null
  /** Whether the text says so, and nobody has written it. */
  #isOfText = false
  readonly #onOther: (theirs: string) => void

  /**
   * @param left what an earlier window had of it, where this one goes on in its place
   * @param onOther is told of another’s title that stays out, since somebody has written another here
   */
  constructor(
    { title, revision }: StoredTitle,
    left: DraftTitle | undefined,
    onOther: (theirs: string) => void,
  ) {
    this.#saved = title
    this.#revision = revision
    this.#sent = left?.sentTitle ?? null
    this.current = left?.title.toWellFormed() ?? title
    this.#onOther = onOther
  }

  /** As the server last had it, as far as is known here. */
  get saved(): string {
    return this.#saved
  }

  get isDirty(): boolean {
    return this.current !== this.#saved
  }

  get draft(): DraftTitle {
    const sent = this.#sent === null ? {} : { sentTitle: this.#sent }
    return { title: this.current, savedTitle: this.#saved, ...sent }
  }

  /** @param isOfText whether the text says so, and nobody has written it */
  write(title: string, isOfText: boolean): void {
    this.current = title.toWellFormed()
    this.#isOfText = isOfText
  }

  /** What is to be sent; until it is known what became of that, nothing else is made of what comes. */
  send() {
    const title = this.current
    const body = { title, base_title: this.#saved }
    this.#sent = title
    this.#isSending = true
    const end = () => {
      this.#isSending = false
      const held = this.#held
      this.#held = null
      if (held) this.receive(held)
    }
    return {
      body,
      /** The server has taken it. */
      taken: (revision: number) => {
        this.#sent = null
        if (revision > this.#revision) [this.#saved, this.#revision] = [title, revision]
        end()
      },
      /** It hasn’t, since it has another. */
      refused: (theirs: StoredTitle) => {
        this.#sent = null
        this.#isSending = false
        this.receive(theirs)
        end()
      },
      /** Nobody knows. */
      lost: end,
    }
  }

  /** Takes in what the server says. */
  receive(theirs: StoredTitle): void {
    if (theirs.revision < this.#revision) return
    if (this.#isSending && theirs.title !== this.#saved) {
      if (theirs.revision >= (this.#held?.revision ?? 0)) this.#held = theirs
      return
    }
    const isNews = theirs.title !== this.#saved
    const base = this.#baseOf(theirs.title, { saved: this.#saved, sent: this.#sent })
    this.#saved = theirs.title
    this.#revision = theirs.revision
    if (!isNews) return
    this.#sent = null
    if (this.#isOfText) this.current = theirs.title
    else this.#merge(base, this.current, theirs.title)
  }

  /** Takes in the title of a window that is gone; answers whether it is another by that. */
  bring({ title, savedTitle, sentTitle }: DraftTitle): boolean {
    const before = this.current
    const base = this.#baseOf(before, { saved: savedTitle, sent: sentTitle ?? null })
    if (title === base) return false
    this.#merge(base, title.toWellFormed(), before)
    return this.current !== before
  }

  #merge(base: string, mine: string, theirs: string): void {
    if (mine === base) this.current = theirs
    else if (theirs === base || theirs === mine) this.current = mine
    else {
      const merged = mergedTitle(base, mine, theirs)
      this.current = merged ?? mine
      if (merged === null) this.#onOther(theirs)
    }
  }

  /** What theirs was made of: what was sent stands in it, with what was put in since, where it has arrived. */
  #baseOf(theirs: string, { saved, sent }: { saved: string; sent: string | null }): string {
    return sent !== null && theirs !== saved && growsFrom(sent, theirs) ? sent : saved
  }
}
