import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { keptMarks, withoutMarks } from '../editor/stray-marks.ts'

/** What a suggestion is about and what it puts there, as people read it: without marks that stay as they are. */
export function readWords({
  original_text,
  suggested_text,
}: Pick<Suggestion, 'original_text' | 'suggested_text'>): { original: string; suggested: string } {
  const kept = keptMarks(original_text, suggested_text)
  return {
    original: withoutMarks(original_text, kept.removed),
    suggested: withoutMarks(suggested_text, kept.added),
  }
}
