import { loadPart } from '../ui/load-part.ts'
import { Remembered } from '../ui/remembered.ts'
import type { suggestionName } from '../feedback/suggestion-name.ts'
import type { DrawnSuggestions, TextWithCards } from '../reading/drawn-suggestions.svelte.ts'

const kept = new Remembered('galley.suggestions-read')

/** Pending suggestions in the text that is read; what draws them comes once there are any. */
export class SuggestionsInText {
  /** Whether what they change is to be read there, or only the places where they stand. */
  #shown = $state(kept.value !== 'places')
  drawn = $state.raw<DrawnSuggestions | null>(null)
  /** What they are called where they are heard. */
  nameOf = $state.raw<typeof suggestionName | null>(null)

  get shown(): boolean {
    return this.#shown
  }
  set shown(shown: boolean) {
    this.#shown = shown
    kept.value = shown ? null : 'places'
  }

  /** Has them drawn once there are any. Where what draws them can’t be had, their places are marked. */
  follow(reader: TextWithCards): void {
    if (this.drawn || reader.feedback.pending.length === 0) return
    const leave = () => undefined
    loadPart(() => import('../reading/drawn-suggestions.svelte.ts')).then(
      ({ DrawnSuggestions }) => (this.drawn ??= new DrawnSuggestions(reader)),
      leave,
    )
    loadPart(() => import('../feedback/suggestion-name.ts')).then(
      ({ suggestionName }) => (this.nameOf = suggestionName),
      leave,
    )
  }
}
