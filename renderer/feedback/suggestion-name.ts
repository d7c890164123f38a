import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { partsOf } from '../editor/read-line.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { asItStands } from './as-it-stands.ts'
import { lookChange, markChange } from './mark-change.ts'
import { readWords } from './read-words.ts'
import { quoteOf } from './threads.ts'
import { whiteChange } from './white-change.ts'

/** Many are called by their names each time that anything about one is another. */
const known = new WeakMap<Suggestion, string>()

/** What a suggestion is called where it is heard: whose it is, and what it would change. */
export function suggestionName(suggestion: Suggestion): string {
  const name = known.get(suggestion) ?? nameFrom(suggestion)
  known.set(suggestion, name)
  return name
}

function nameFrom(told: Suggestion): string {
  const suggestion = asItStands(told)
  const { original_text, suggested_text } = suggestion
  const marks = markChange(suggestion)
  const by = `Suggestion by ${nameOfAuthor(suggestion)}`
  if (marks) {
    const words = quoteOf(partsOf(marks.words).join(''), 80)
    return `${by}: ${lowerFirst(marks.does)}${words === '' ? '' : ` “${words}”`}`
  }
  const white = whiteChange(suggestion)
  if (white)
    return `${by}: ${lowerFirst(white.does)}${white.behind && ` behind “${quoteOf(white.behind, 80)}”`}`
  const look = lookChange(suggestion)
  const { original, suggested } = look ?? readWords(suggestion)
  const [before, after] = [quoteOf(original, 80), quoteOf(suggested, 80)]
  const said =
    original_text === ''
      ? `“${after}” is put in`
      : `“${before}” ${suggested_text === '' ? 'is left out' : `becomes “${after}”`}`
  return `${by}: ${look ? `${lowerFirst(look.does)}, ` : ''}${said}`
}

const lowerFirst = (words: string) => words[0]!.toLowerCase() + words.slice(1)
