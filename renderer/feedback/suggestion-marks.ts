import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { DrawnSuggestion, SuggestionsShown, TextMark } from '../editor/document-session.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { drawnColour } from '../ui/person-colour.ts'

interface Known {
  of: string
  drawn: DrawnSuggestion
}

interface Wanted {
  /** Of the server’s text in which the place of one counts. */
  placedIn: (id: string) => number | undefined
  activeId: string | null
  shown?: SuggestionsShown
  /** Those of which only the place is drawn. */
  hidden?: ReadonlySet<string>
}

/** How suggestions are drawn in the text: each by what it changes, in its author’s colour. */
export class SuggestionMarks {
  #known = new Map<string, Known>()

  of(pending: readonly Suggestion[], { placedIn, activeId, shown = 'changes', hidden }: Wanted): TextMark[] {
    const known = this.#known
    this.#known = new Map()
    return pending.flatMap((suggestion): TextMark[] => {
      const { id, range } = suggestion
      if (!range) return []
      const drawn = this.#drawn(suggestion, hidden?.has(id) ? 'original' : shown, known.get(id))
      const active = id === activeId
      return [{ id, revision: placedIn(id), kind: 'suggestion', range, active, suggestion: drawn }]
    })
  }

  #drawn(suggestion: Suggestion, shown: SuggestionsShown, known: Known | undefined): DrawnSuggestion {
    const { id, mine, range, original_text, suggested_text } = suggestion
    const author = nameOfAuthor(suggestion) || 'somebody'
    const colour = drawnColour(suggestion)
    const length = range!.end - range!.start
    const of = JSON.stringify([original_text, suggested_text, length, author, mine, colour])
    const before = known?.of === of ? known.drawn : null
    const drawn =
      before?.shown === shown
        ? before
        : {
            pieces: before?.pieces ?? piecesOf(suggestion),
            author,
            colour,
            mine,
            shown,
          }
    this.#known.set(id, { of, drawn })
    return drawn
  }
}
