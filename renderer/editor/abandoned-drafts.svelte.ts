import type { DraftKeeper } from './draft-keeper.svelte.ts'
import { abandonedDrafts, takeOver, type Draft, type DraftStore, type TakenOver } from './drafts.ts'
import { takeIn, tellRestored, type TakingIn } from './left-draft.ts'

interface Options extends Omit<TakingIn, 'takenIn' | 'isSeen' | 'isOver'> {
  drafts: DraftStore
  keeper: DraftKeeper
  /** What the window has left in whose place this one goes on: its words stand here already. */
  goOnWith: TakenOver | null
}

/**
 * What windows that are gone have left of an open document, and how it gets into this one. Each of their words is here or
 * at the server once, however often they are taken in and whoever else does so: a draft is deleted only when its text is
 * safe in this window’s own, and what can’t be taken in now is left for another time.
 */
export class AbandonedDrafts {
  /** Whether some wait, as until the server can be asked what it has of them. */
  areLeft = $state(false)
  readonly #options: Options
  /** The windows whose words are in this one’s draft, while there may be drafts of theirs. */
  readonly #takenIn: Set<string>
  #isRestoring = false
  /** Whether what has been left by now was taken in, with somebody looking at the text. */
  #isSeen: boolean | null = null
  #isOver = false

  constructor(options: Options) {
    this.#options = options
    this.#takenIn = new Set(options.goOnWith?.draft.takenIn)
  }

  /** What this window’s own draft says of them, so that whoever takes that in knows. */
  get takenIn(): { takenIn?: string[] } {
    return this.#takenIn.size > 0 ? { takenIn: [...this.#takenIn] } : {}
  }

  /**
   * Takes in what there is, on top of what has become of the document since.
   * @param isSeen whether somebody looks at the text, who can choose where words collide
   */
  async restore({ isSeen = true } = {}): Promise<void> {
    const { document, goOnWith } = this.#options
    this.#isRestoring = true
    const takingIn = {
      ...this.#options,
      takenIn: this.#takenIn,
      isSeen,
      isOver: () => this.#isOver,
    }
    if (goOnWith && this.#isSeen === null)
      tellRestored(takingIn, goOnWith.draft.at, document.text.takingBackOwn())
    this.#isSeen = isSeen
    const areAll = await this.#takeInAll(takingIn)
    this.#isRestoring = false
    this.areLeft = !areAll
  }

  /** Whoever looks at the text may write in it now: takes in what has waited for that. */
  async mayBeWritten(): Promise<void> {
    if (this.#isSeen === null && !this.#isRestoring) await this.restore()
  }

  /**
   * The server is there: takes in what has waited for it, and what other windows have left since. Without locks nothing
   * tells those from windows that are open.
   */
  async isThere(): Promise<void> {
    const mayBeLeft = this.areLeft || (this.#isSeen && Boolean(navigator.locks))
    if (mayBeLeft && !this.#isRestoring) await this.restore()
  }

  /** What isn’t in by now stays where it is. */
  close(): void {
    this.#isOver = true
  }

  async #takeInAll(takingIn: TakingIn): Promise<boolean> {
    const { document, drafts } = this.#options
    const left = await abandonedDrafts(drafts, document.facts.id).catch((): Draft[] => [])
    let areAll = true
    for (const one of left) {
      const taken = await takeOver(drafts, one)
      // Another window has taken it in, or is doing so, which may fail.
      if (!taken) areAll = false
      else {
        if (!(await this.#takeInOne(taken.draft, takingIn))) areAll = false
        taken.release()
        if (this.#isOver) break
      }
    }
    return areAll
  }

  /** Answers whether the draft isn’t needed any more. */
  async #takeInOne(draft: Draft, takingIn: TakingIn): Promise<boolean> {
    const { drafts, keeper, saver } = this.#options
    const isIn = await takeIn(draft, takingIn).catch(() => false)
    if (isIn) await keeper.settled()
    if (!isIn || (saver.dirty && !keeper.kept)) return false
    const deleted = drafts.delete(draft.documentId, draft.writer)
    await deleted.then(() => this.#takenIn.delete(draft.writer)).catch(() => {})
    return true
  }
}
