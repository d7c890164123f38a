// Random documents with suggestions, and what their owner does with these.
import fc from 'fast-check'

/** Words to go, or to become others; put in where there are none. */
export interface Suggested {
  start: number
  end: number
  said: string
}

type Step =
  | { does: 'accept' | 'reject' | 'reopen'; which: number[] }
  /** Types behind a word that no suggestion touches. */
  | { does: 'type'; at: number }

export interface Decided {
  content: string
  suggested: readonly Suggested[]
  steps: readonly Step[]
}

const names = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo']

interface Line {
  start: number
  end: number
  /** Where the next one starts. */
  next: number
  words: { start: number; end: number }[]
}

/** Lines of three words, no two of which are alike. */
function linesOf(content: string): Line[] {
  return [...content.matchAll(/([^\r\n]+)[\r\n]*/g)].map(({ 0: all, 1: line, index }) => {
    const words = [...line!.matchAll(/\S+/g)].map((word) => ({
      start: index + word.index,
      end: index + word.index + word[0].length,
    }))
    return { start: index, end: index + line!.length, next: index + all.length, words }
  })
}

const ways = ['lines', 'lines with the end before', 'line', 'words', 'word', 'other word', 'put word', 'put before', 'put behind'] as const // prettier-ignore

interface Choice {
  way: (typeof ways)[number]
  line: number
  word: number
  more: boolean
}

function suggest(
  { way, line: n, word: w, more }: Choice,
  i: number,
  content: string,
  eol: string,
): Suggested {
  const lines = linesOf(content)
  const line = lines[n % lines.length]!
  const last = (more && lines[(n % lines.length) + 1]) || line
  const before = lines[(n % lines.length) - 1]?.end ?? line.start
  const [first, second] = [line.words[w % 3]!, line.words[(w % 3) + 1]]
  const other = more && second ? second : first
  if (way === 'lines') return { start: line.start, end: last.next, said: '' }
  if (way === 'lines with the end before') return { start: before, end: last.end, said: '' }
  if (way === 'line') return { start: line.start, end: line.end, said: `other${i}` }
  if (way === 'words') return { start: first.start, end: other.end, said: '' }
  if (way === 'word') return { start: first.start, end: second?.start ?? first.end, said: '' }
  if (way === 'other word') return { start: first.start, end: first.end, said: `word${i}` }
  if (way === 'put word') return { start: first.end, end: first.end, said: ` put${i}` }
  if (way === 'put before') return { start: line.start, end: line.start, said: `new${i}.${eol}` }
  return { start: line.end, end: line.end, said: `${eol}new${i}.` }
}

const which = (most: number) => fc.uniqueArray(fc.nat(most - 1), { minLength: 1, maxLength: most })

export const randomDecisions: fc.Arbitrary<Decided> = fc
  .record({
    lines: fc.integer({ min: 2, max: names.length }),
    eol: fc.constantFrom('\n\n', '\r\n\r\n', '\n'),
    choices: fc.array(
      fc.record({ way: fc.constantFrom(...ways), line: fc.nat(4), word: fc.nat(2), more: fc.boolean() }),
      { minLength: 1, maxLength: 5 },
    ),
    steps: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('accept' as const, 'reopen' as const), which: which(1) }) }, // prettier-ignore
        { weight: 6, arbitrary: fc.record({ does: fc.constantFrom('accept' as const, 'reopen' as const, 'reject' as const), which: which(5) }) }, // prettier-ignore
        { weight: 1, arbitrary: fc.record({ does: fc.constant('type' as const), at: fc.nat(20) }) },
      ),
      { maxLength: 10 },
    ),
  })
  .map(({ lines, eol, choices, steps }) => {
    const said = names.slice(0, lines).map((name) => `${name}1 ${name}2 ${name}3.`)
    const content = said.join(eol) + eol.slice(eol.length / 2)
    return { content, suggested: choices.map((choice, i) => suggest(choice, i, content, eol)), steps }
  })

/** The words that no suggestion touches, or comes beside. */
export const untouched = ({ content, suggested }: Decided): string[] =>
  linesOf(content)
    .flatMap((line) => line.words)
    .filter((word) => suggested.every(({ start, end }) => end < word.start - 1 || start > word.end + 1))
    .map(({ start, end }) => content.slice(start, end))
