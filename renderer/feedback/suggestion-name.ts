import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { markChange } from './mark-change.ts'
import { readWords } from './read-words.ts'
import { quoteOf } from './threads.ts'

/** What a suggestion is called where it is heard: whose it is, and what it would change. */
export function suggestionName(suggestion: Suggestion): string {
  const { original_text, suggested_text } = suggestion
  const marks = markChange(suggestion)
  const by = `Suggestion by ${nameOfAuthor(suggestion)}`
  if (marks)
    return `${by}: ${marks.does[0]!.toLowerCase()}${marks.does.slice(1)} “${quoteOf(marks.words, 80)}”`
  const { original, suggested } = readWords(suggestion)
  const [before, after] = [quoteOf(original, 80), quoteOf(suggested, 80)]
  const said =
    original_text === ''
      ? `“${after}” is put in`
      : `“${before}” ${suggested_text === '' ? 'is left out' : `becomes “${after}”`}`
  return `${by}: ${said}`
}
