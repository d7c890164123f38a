import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { HeldFormulas } from '../editor/held-formulas.ts'
import { asItStands } from './as-it-stands.ts'
import { wordsAfter, wordsBefore } from './context.ts'
import { lookedChange, lookedParts, longest, type LookedSegment } from './looked-words.ts'
import { markChange } from './mark-change.ts'
import { readWords } from './read-words.ts'
import { quoteOf } from './threads.ts'

type Suggested = Pick<Suggestion, 'original_text' | 'suggested_text' | 'anchor' | 'range' | 'around'>

/** So much of each is shown. */
const most = 60

/**
 * What is suggested, on one line as it will look, with what it does where that changes no word: such as “Make bold: words”. As it is
 * written where it would look like the words that it is for.
 */
export function suggestedParts(told: Suggested): LookedSegment[] {
  const suggestion = asItStands(told)
  const { original_text, suggested_text, anchor } = suggestion
  const beside = anchor ? ([wordsBefore(anchor), wordsAfter(anchor)] as const) : (['', ''] as const)
  const held = new HeldFormulas()
  const [was, will] = [original_text, suggested_text].map((text) => held.hold(text))
  const isSeen = was!.length + will!.length > longest || lookedChange(was!, will!, beside) !== null
  const change = was!.length + will!.length > longest ? null : markChange(suggestion)
  const parts: LookedSegment[] = isSeen
    ? lookedParts(will!, beside)
    : [{ kind: 'same', text: readWords(suggestion).suggested }]
  const shown = withinLine(parts).map((one) => ({ ...one, text: held.drawn(one.text) }))
  if (!change || !isSeen) return shown
  return [
    { kind: 'same', text: change.words === '' ? change.does : `${change.does}: ` },
    ...(change.words === '' ? [] : shown),
  ]
}

/** The first of them on one line. */
function withinLine(parts: readonly LookedSegment[]): LookedSegment[] {
  const line: LookedSegment[] = []
  let left = most
  for (const part of parts) {
    const text = part.text.replace(/\s+/gu, ' ')
    const shown = text.length > left ? quoteOf(text, left) : text
    line.push({ ...part, text: shown })
    left -= text.length
    if (left <= 0) break
  }
  return line
}
