import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { DrawnSuggestion, SuggestionsShown, TextMark } from '../editor/document-session.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { AuthorColours } from '../ui/author-colours.ts'

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
  readonly #colours: AuthorColours
  #known = new Map<string, Known>()

  constructor(colours = new AuthorColours()) {
    this.#colours = colours
  }

  of(pending: readonly Suggestion[], { placedIn, activeId, shown = 'changes', hidden }: Wanted): TextMark[] {
    this.#colours.learn(pending)
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
            colour: this.#colours.of(suggestion),
            mine,
            shown,
          }
    this.#known.set(id, { of, drawn })
    return drawn
  }
}
