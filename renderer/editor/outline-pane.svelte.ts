import { untrack } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import { besideText, onBothSides } from '../ui/widths.ts'

/** What else there is around the text. */
interface Around {
  panelOpen: boolean
  /** Whether nothing is to stand beside the text. */
  readonly textAlone: boolean
}

/** The outline of a text: whether it is wanted, and where it is seen, for the owner as for recipients. */
export class OutlinePane {
  /** Whether there is room beside the text for one of panel and outline, and for the outline on a side of its own. */
  readonly hasRoom = new MediaQuery(besideText)
  readonly hasOwnSide = new MediaQuery(onBothSides)
  #isBeside = $state(untrack(() => this.hasOwnSide.current))
  /** What covers the text is only there where it was asked for at this width. */
  #isSheet = $state(false)
  readonly #around: Around
  /** Where the outline is seen. Where it and the panel have one room the panel comes first. */
  readonly at = $derived.by((): 'left' | 'right' | 'sheet' | null => {
    if (!this.open) return null
    if (!this.hasRoom.current) return 'sheet'
    if (this.#around.textAlone) return null
    if (this.hasOwnSide.current) return 'left'
    return this.#around.panelOpen ? null : 'right'
  })

  constructor(around: Around) {
    this.#around = around
    $effect(() => {
      if (this.hasRoom.current) this.#isSheet = false
    })
  }

  get open(): boolean {
    return this.hasRoom.current ? this.#isBeside : this.#isSheet
  }

  set open(open: boolean) {
    if (this.hasRoom.current) this.#isBeside = open
    else this.#isSheet = open
  }

  toggle(): void {
    // Where it isn’t seen, as behind the panel, it can only be wanted.
    this.open = this.at === null
    if (this.open && !this.hasOwnSide.current) this.#around.panelOpen = false
  }

  /** Makes room for what is about to be looked at: in the text below a sheet, or beside it. */
  leave(place: 'sheet' | 'right'): void {
    if (this.at === place) this.open = false
  }
}
