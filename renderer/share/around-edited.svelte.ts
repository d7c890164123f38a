import { mount, unmount, untrack } from 'svelte'
import { OutlinePane } from '../editor/outline-pane.svelte.ts'
import EditBeside from './EditBeside.svelte'
import type { Reader } from './reader.svelte.ts'
import type { ShownEditor } from './shown-editor.svelte.ts'

/** What stands around the text that is edited: its outline, and what is said of it, each by its words or listed beside. */
export class AroundEdited {
  readonly outline = new OutlinePane(this)
  readonly textAlone = false
  /** Whether the list is shown. */
  readonly showsList = $derived.by(() => this.panelOpen && this.#reader.cards.withMargin.current)
  #panelOpen = $state(false)
  readonly #reader: Reader

  /** To be made while a component is, for as long as it is shown. */
  constructor(reader: Reader, shown: ShownEditor) {
    this.#reader = reader
    const { cards, writing } = reader
    $effect(() => {
      const { composing } = writing
      const { activeId, opened } = cards
      const isLookedAt = opened && activeId !== null
      const { marks } = shown
      // Where it stands later, decided or deleted, opens nothing.
      const isPlaced = isLookedAt && untrack(() => marks?.isPlaced(activeId))
      const isApart = composing ? !composing.anchor : isLookedAt && !isPlaced
      if (isApart && marks) this.panelOpen = true
      // Its card stands where the outline does, unless that has a side of its own.
      else if (composing || isLookedAt) untrack(() => this.outline.leave('right'))
    })
    // In the text’s own scroller, so that it goes with the text.
    $effect(() => {
      const { editor, marks } = shown
      if (!editor || !marks || this.panelOpen || this.outline.at === 'right' || !cards.withMargin.current)
        return
      const target = editor.view.scrollDOM
      const beside = untrack(() => mount(EditBeside, { target, props: { reader, editor, marks } }))
      return () => void unmount(beside)
    })
  }

  /** Whether all that is said is listed beside the text, where there is room for it, rather than each by its words. */
  get panelOpen(): boolean {
    return this.#panelOpen
  }

  set panelOpen(open: boolean) {
    if (open === this.#panelOpen) return
    this.#panelOpen = open
    if (open) return
    this.#reader.cards.putAway()
    this.#reader.writing.putAway()
  }

  toggleList(): void {
    if (this.#reader.cards.withMargin.current) this.panelOpen = !this.panelOpen
    else this.#reader.cards.listOpen = true
  }
}
