import { wordBeside } from '../../server/domain/anchors/insertion-place.ts'
import type { Suggester } from '../editor/suggesting/suggester.svelte.ts'
import { leftUnsent, nameOfUnsent, type UnsentSuggestion } from '../editor/suggesting/unsent-suggestions.ts'
import type { Entry } from './outbox/entry.ts'
import type { Chosen, TextPane } from './text-pane.ts'

/** What was suggested by typing, or taken back so, and waits, as all else that waits is shown. */
export interface WaitingSuggestion {
  entry: Entry & { kind: 'suggestion' | 'withdraw' }
  /** Says why; false where another window goes on with it by now. */
  giveReason: (note: string | null) => boolean
  /** In the editor it is taken back in the text. */
  discarding: { discard: () => void; restore: () => void } | null
}

const waitingEntry = (key: string, documentId: string, at: number, isUnsure: boolean) => ({
  ...{ key, documentId, token: '', writtenAt: at, state: 'waiting' as const },
  ...{ unsureSince: isUnsure ? at : null, faults: 0, refusal: null, recordId: null },
  // The outbox has none such.
  order: -1,
})

function entryOf(
  one: UnsentSuggestion,
  documentId: string,
  place: Chosen | null,
): Entry & { kind: 'suggestion' } {
  const { original, suggested, note = null, anchor, signature, asked, at = Date.now() } = one
  const body = { original_text: original, suggested_text: suggested, anchor, note, ...signature }
  const waiting = waitingEntry(nameOfUnsent(one), documentId, at, asked !== undefined)
  return { ...waiting, kind: 'suggestion', body, place }
}

/** What is suggested in the editor and waits, as nobody can be reached. */
export const waitingInEditor = (suggester: Suggester, documentId: string): WaitingSuggestion[] =>
  suggester.waiting.map(({ key, suggestion }) => ({
    entry: entryOf(suggestion, documentId, null),
    giveReason: (note) => suggester.giveReason(key, note),
    discarding: null,
  }))

/** What closed windows have left of it, and where that stands in the text that is read. */
export async function waitingSuggestions(documentId: string, pane: TextPane): Promise<WaitingSuggestion[]> {
  const left = await leftUnsent(documentId)
  return left.flatMap(({ slot, one, giveReason, discard, restore }): WaitingSuggestion[] => {
    const discarding = { discard, restore }
    if (!one.isWithdrawn)
      return [{ entry: entryOf(one, documentId, placeOf(one, pane)), giveReason, discarding }]
    if (one.id === null) return []
    const waiting = waitingEntry(slot, documentId, one.at ?? Date.now(), false)
    return [{ entry: { ...waiting, kind: 'withdraw', target: one.id, body: null }, giveReason, discarding }]
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
