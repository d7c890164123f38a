import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { DrawnSuggestion, SuggestionsShown, TextMark } from '../editor/document-session.ts'
import { suggestedPieces, type Piece } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'

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

/** How suggestions are drawn in the text: each by what it changes, in the colour that its author has here. */
export class SuggestionMarks {
  /** In the order in which they came. */
  readonly #colours = new Map<string, number>()
  #known = new Map<string, Known>()

  of(pending: readonly Suggestion[], { placedIn, activeId, shown = 'changes', hidden }: Wanted): TextMark[] {
    for (const one of [...pending].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))) this.#colourOf(one)
    const known = this.#known
    // What is decided is forgotten, but for the colour of who suggested it.
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
    const of = JSON.stringify([original_text, suggested_text, range!.end - range!.start, author, mine])
    const before = known?.of === of ? known.drawn : null
    const drawn =
      before?.shown === shown
        ? before
        : {
            pieces: before?.pieces ?? piecesOf(suggestion),
            author,
            colour: this.#colourOf(suggestion),
            mine,
            shown,
          }
    this.#known.set(id, { of, drawn })
    return drawn
  }

  #colourOf({ author_id, author_name, key_name, mine }: Suggestion): number {
    // An account is the same under any name; of guests only the name is told, and which of them asks.
    const key = JSON.stringify([author_id, author_id === null ? [author_name, mine] : null, key_name])
    const colour = this.#colours.get(key) ?? this.#colours.size
    this.#colours.set(key, colour)
    return colour
  }
}

function piecesOf({ original_text, suggested_text, range }: Suggestion): Piece[] {
  const length = range!.end - range!.start
  if (length === original_text.length) return suggestedPieces(original_text, suggested_text)
  return [{ from: 0, to: length, insert: suggested_text }]
}
