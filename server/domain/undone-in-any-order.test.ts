import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Range } from '../contract/records/anchors.ts'
import { DecidedText, suggestAt, type Suggested } from './testing/decided-text.ts'

const threeParagraphs = 'Intro\n\nOne here.\n\nTwo here.\n\nHere it ends.\n\nEnd\n'
const takenOut = (words: string) => {
  const start = threeParagraphs.indexOf(words)
  return suggestAt(threeParagraphs, words[0]!, [start, start + words.length], '')
}
const outs = ['One here.\n\n', 'Two here.\n\n', 'Here it ends.\n\n'].map(takenOut)

it.each(['+O +T +H ~O ~H ~T', '+T +O ~T +T ~O ~T', '+H +O +T ~H ~O +H +O ~T ~H ~O'])(
  'after %s what stood side by side does so in its order',
  (steps) => {
    const text = new DecidedText(threeParagraphs, outs)
    for (const step of steps.split(' ')) {
      const id = step.slice(1)
      expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
      expect(text.content).toBe(without(threeParagraphs, acceptedOf(text, outs)))
    }
  },
)

/** Lines that are often alike, some of which are suggested to go, and another word for some in one of them. */
const anyLines = fc
  .record({
    lines: fc.array(fc.constantFrom('like words are here.', 'like words are here.', 'teh x', 'Others.'), {
      minLength: 2,
      maxLength: 5,
    }),
    eol: fc.constantFrom('\n\n', '\n', '\r\n\r\n'),
    mark: fc.constantFrom('', '- '),
    isWithEndBefore: fc.boolean(),
    gone: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 4 }),
    on: fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 3 })),
    steps: fc.array(fc.record({ which: fc.nat(), isRejected: fc.boolean() }), { maxLength: 14 }),
  })
  .map(({ lines: said, eol, mark, isWithEndBefore, gone, on, steps }) => {
    const inner = said.map((words, i) => mark + (words[0] === 'l' ? 'abcde'[i]! : '') + words)
    const lines = ['Intro', ...inner, 'End']
    const content = lines.join(eol) + eol
    const startOf = (n: number) => lines.slice(0, n).join(eol).length + eol.length
    const numbers = [...new Set(gone.map((n) => 1 + (n % inner.length)))]
    const taken = numbers.map((n) => {
      const [start, end] = [startOf(n), startOf(n) + lines[n]!.length]
      const place = isWithEndBefore
        ? ([start - eol.length, end] as const)
        : ([start, end + eol.length] as const)
      return suggestAt(content, `out${n}`, place, '')
    })
    const n = 1 + (on[0] % inner.length)
    const parts = lines[n]!.split(/(?<= )/)
    const first = on[1] % parts.length
    const start = startOf(n) + parts.slice(0, first).join('').length
    const end =
      start +
      parts
        .slice(first, first + 1 + on[2])
        .join('')
        .trimEnd().length
    return { content, taken, words: suggestAt(content, 'words', [start, end], 'new'), steps }
  })

it('however decisions are made, taken back and made again, the text is what stands of them, and each is on its words', () => {
  fc.assert(
    fc.property(anyLines, ({ content, taken, words, steps }) => {
      const all = [...taken, words]
      const text = new DecidedText(content, all)
      for (const { which, isRejected } of steps) {
        const { id } = all[which % all.length]!
        const decided = text.decided.get(id)
        if (decided) {
          const isBack = text.undo(id)
          // What stands in words that have gone is taken back with these first.
          if (id !== 'words' || decided.status === 'rejected') expect(isBack).toBe(true)
        } else if (isRejected) text.reject(id)
        else text.accept(id)
        // Where a word is another one, what goes with it is another text.
        if (text.decided.get('words')?.status === 'accepted') continue
        const gone = acceptedOf(text, taken)
        expect(text.content).toBe(without(content, gone))
        for (const one of text.pending) {
          const range = all.find((other) => other.id === one.id)!.range!
          expect(text.placeOf(one.id)).toEqual(placeWithout(range, gone))
        }
      }
    }),
    { numRuns: 500 },
  )
})

function acceptedOf(text: DecidedText, all: readonly Suggested[]): Range[] {
  return all.flatMap(({ id, range }) => (text.decided.get(id)?.status === 'accepted' ? [range!] : []))
}

function without(content: string, gone: readonly Range[]): string {
  return gone
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), content)
}

function placeWithout({ start, end }: Range, gone: readonly Range[]): Range | null {
  if (gone.some((one) => one.start < end && one.end > start)) return null
  const by = gone.filter((one) => one.end <= start).reduce((sum, one) => sum + one.end - one.start, 0)
  return { start: start - by, end: end - by }
}
