import { untrack } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { Way } from '../../editor/ways.ts'
import { besideText, onBothSides } from '../../ui/widths.ts'
import type { FeedbackTab } from '../feedback/document-feedback.svelte.ts'
import { FocusMode } from './focus-mode.svelte.ts'
import { ReadingViewState } from './reading.svelte.ts'

export type PanelTab = FeedbackTab | 'share'

/** What an open document’s page shows: the text with its panel and outline, the reading view, or only the text. */
export class Panes {
  /** Whether there is room beside the text for one of panel and outline, and for the outline on a side of its own. */
  readonly besidePanel = new MediaQuery(besideText)
  readonly besideOutline = new MediaQuery(onBothSides)
  readonly focus = new FocusMode()
  panelOpen = $state(false)
  tab = $state<PanelTab>('comments')
  outlineOpen = $state(untrack(() => this.besideOutline.current))
  /** Where the outline is seen. Where it and the panel have one room the panel comes first. */
  readonly outlineAt = $derived.by((): 'left' | 'right' | 'sheet' | null => {
    if (!this.outlineOpen) return null
    if (!this.besidePanel.current) return 'sheet'
    if (this.focus.on) return null
    if (this.besideOutline.current) return 'left'
    return this.panelOpen ? null : 'right'
  })
  reading = $state(false)
  /** Whether what is typed becomes suggestions. */
  suggesting = $state(false)
  /** How its owner is in the text. */
  readonly way = $derived.by((): Way =>
    this.reading ? 'viewing' : this.suggesting ? 'suggesting' : 'editing',
  )
  /** Whether what is said of a passage was asked for, and shows beside it, or below the text. */
  passageOpen = $state(false)
  /** Whether what is said of the text stands beside it, and whether what is said of one passage does below it. */
  readonly besideText = $derived.by(
    () => this.#hasRoom && this.besidePanel.current && this.outlineAt !== 'right',
  )
  readonly belowText = $derived.by(() => this.#hasRoom && !this.besidePanel.current && this.passageOpen)
  readonly readingView = new ReadingViewState()
  exporting = $state(false)
  /** Whether a round of review is about to be asked for. */
  asking = $state(false)

  get #hasRoom(): boolean {
    return !this.panelOpen && !this.focus.on
  }

  /** Shows what is said of a passage where it stands; false where nothing can stand there. */
  showPassage(): boolean {
    if (this.panelOpen) return false
    this.focus.on = false
    if (this.outlineAt === 'right') this.outlineOpen = false
    this.passageOpen = true
    return true
  }

  /** Opens the panel on a tab. */
  show(tab: PanelTab): void {
    this.focus.on = false
    this.tab = tab
    this.panelOpen = true
  }

  /** Opens the panel where a round of review is asked for, or runs. */
  askForReview(): void {
    this.show('share')
    this.asking = true
  }

  toggle(tab: PanelTab): void {
    if (this.panelOpen && this.tab === tab) this.panelOpen = false
    else this.show(tab)
  }

  toggleOutline(): void {
    // Where it isn’t seen, in focus mode or behind the panel, it can only be wanted.
    this.outlineOpen = this.outlineAt === null
    this.focus.on = false
    if (this.outlineOpen && !this.besideOutline.current) this.panelOpen = false
  }

  /** Shows nothing but the text. */
  enterFocus(): void {
    this.focus.on = true
    this.panelOpen = false
    this.reading = false
    if (!this.besidePanel.current) this.outlineOpen = false
  }
}
