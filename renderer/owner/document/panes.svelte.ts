import { untrack } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { ReviewTab } from '../../review/review.svelte.ts'
import { FocusMode } from './focus-mode.svelte.ts'
import { Reading } from './reading.svelte.ts'

export type PanelTab = ReviewTab | 'share'

/** What an open document’s page shows: the text with its panel and outline, the reading view, or only the text. */
export class Panes {
  /** Whether there is room for the panel, and for the outline, beside the text. */
  readonly besidePanel = new MediaQuery('min-width: 66rem')
  readonly besideOutline = new MediaQuery('min-width: 82rem')
  readonly focus = new FocusMode()
  panelOpen = $state(false)
  tab = $state<PanelTab>('comments')
  outlineOpen = $state(untrack(() => this.besideOutline.current))
  reading = $state(false)
  readonly readingView = new Reading()
  exporting = $state(false)

  /** Opens the panel on a tab. */
  show(tab: PanelTab): void {
    this.focus.on = false
    this.tab = tab
    this.panelOpen = true
  }

  toggle(tab: PanelTab): void {
    if (this.panelOpen && this.tab === tab) this.panelOpen = false
    else this.show(tab)
  }

  toggleOutline(): void {
    // Not seen in focus mode, it can only be wanted then.
    this.outlineOpen = this.focus.on || !this.outlineOpen
    this.focus.on = false
  }

  /** Shows nothing but the text. */
  enterFocus(): void {
    this.focus.on = true
    this.panelOpen = false
    this.reading = false
    if (!this.besideOutline.current) this.outlineOpen = false
  }
}
