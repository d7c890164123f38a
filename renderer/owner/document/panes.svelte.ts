import { OutlinePane } from '../../editor/outline-pane.svelte.ts'
import type { Way } from '../../editor/ways.ts'
import type { FeedbackTab } from '../feedback/document-feedback.svelte.ts'
import { FocusMode } from './focus-mode.svelte.ts'
import { ReadingViewState } from './reading.svelte.ts'

export type PanelTab = FeedbackTab | 'share'

/** What an open document’s page shows: the text with its panel and outline, the reading view, or only the text. */
export class Panes {
  readonly focus = new FocusMode()
  panelOpen = $state(false)
  tab = $state<PanelTab>('comments')
  readonly outline = new OutlinePane(this)
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
    () => this.#hasRoom && this.outline.hasRoom.current && this.outline.at !== 'right',
  )
  readonly belowText = $derived.by(() => this.#hasRoom && !this.outline.hasRoom.current && this.passageOpen)
  readonly readingView = new ReadingViewState()
  exporting = $state(false)
  /** Whether a round of review is about to be asked for. */
  asking = $state(false)

  get textAlone(): boolean {
    return this.focus.on
  }

  get #hasRoom(): boolean {
    return !this.panelOpen && !this.focus.on
  }

  /** Shows what is said of a passage where it stands; false where nothing can stand there. */
  showPassage(): boolean {
    if (this.panelOpen) return false
    this.focus.on = false
    this.outline.leave('right')
    this.outline.leave('sheet')
    this.passageOpen = true
    return true
  }

  /** Opens the panel on a tab. Where it covers the text, nothing else does. */
  show(tab: PanelTab): void {
    this.focus.on = false
    this.outline.leave('sheet')
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
    this.outline.toggle()
    this.focus.on = false
  }

  /** Shows nothing but the text. */
  enterFocus(): void {
    this.focus.on = true
    this.panelOpen = false
    this.reading = false
    if (!this.outline.hasRoom.current) this.outline.open = false
  }
}
