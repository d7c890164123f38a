import { wordBeside } from '../../server/domain/anchors/insertion-place.ts'
import { leftSuggestions, type UnsentSuggestion } from '../editor/suggesting/unsent-suggestions.ts'
import type { Entry } from './outbox/entry.ts'
import type { Chosen, TextPane } from './text-pane.ts'

/** What was suggested by typing and waits, as all else that waits is shown. */
export interface WaitingSuggestion {
  entry: Entry & { kind: 'suggestion' }
  discard: () => void
  restore: () => void
}

/** What closed windows have left of it, and where that stands in the text that is read. */
export async function waitingSuggestions(documentId: string, pane: TextPane): Promise<WaitingSuggestion[]> {
  const left = await leftSuggestions(documentId)
  return left.map(({ slot, suggestion, discard, restore }, i) => {
    const { original, suggested, anchor, signature, asked, at = Date.now() } = suggestion
    const body = { original_text: original, suggested_text: suggested, anchor, note: null, ...signature }
    return {
      entry: {
        ...{ kind: 'suggestion', key: slot, body, place: placeOf(suggestion, pane), documentId },
        // The outbox has none such.
        ...{ order: -1 - i, token: '', writtenAt: at, state: 'waiting', unsureSince: asked ? at : null },
        ...{ faults: 0, refusal: null, recordId: null },
      },
      discard,
      restore,
    }
  })
}

/** By its words as they are read, or the word beside which something is put in. */
function placeOf({ original, anchor }: UnsentSuggestion, pane: TextPane): Chosen | null {
  const { prefix, exact, suffix, revision } = anchor
  const around = prefix + suffix
  const beside = wordBeside(around, { start: prefix.length, end: prefix.length })
  const words = original.trim() === '' ? beside && around.slice(beside.start, beside.end) : original
  if (!words) return null
  // The marks of markdown aren’t read.
  const plain = words.split(/[*_`~#>|[\]()]+|\n/).sort((a, b) => b.length - a.length)[0]!
  const end = anchor.start + exact.length
  return pane.findNear(words, end, revision) ?? pane.findNear(plain, end, revision)
}
