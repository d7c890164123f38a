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

const withNew = 'Intro.\n\nOne goes on.\n\nTwo goes on.\n\nEnd.\n'
const one = { start: withNew.indexOf('One'), end: withNew.indexOf('Two') }
/** One that goes, with the line ends behind or before it, and new paragraphs on both sides. */
const cuts = [0, -2].map((by) => suggestAt(withNew, 'D', [one.start + by, one.end + by], ''))
const news = [
  suggestAt(withNew, 'A', [one.start - 2, one.start - 2], '\n\nNew a.'),
  suggestAt(withNew, 'B', [one.start, one.start], 'New b.\n\n'),
  suggestAt(withNew, 'Y', [one.end - 2, one.end - 2], '\n\nNew y.'),
  suggestAt(withNew, 'Z', [one.end, one.end], 'New z.\n\n'),
]

it.each([
  '+D +A +B +Y +Z ~D ~A ~Y ~B ~Z',
  '+D +B +Z ~D ~B ~Z',
  '+D +Y ~D +D ~Y +B ~D ~B',
  '+D +B ~D +D ~B +B ~D ~B',
  '+D +B ~D +D ~B +Z ~D ~Z',
  '+D +Y ~D +D ~Y +Y ~D ~Y',
  '+D +A ~D +D ~A +A ~D ~A',
  '-A -Z +D ~A ~Z +Z +A ~D ~Z ~A',
  // A deletion takes line ends of theirs along.
  '+Y +D ~Y ~D',
  '+Y +D ~Y +Y ~D ~Y',
  '-D +B +Z ~D +D ~B +B ~D ~B ~Z',
])('after %s new paragraphs stand on their own side of one that was taken out', (steps) => {
  for (const cut of cuts) {
    const all = [cut, ...news]
    const text = new DecidedText(withNew, all)
    const isAccepted = (id: string) => text.decided.get(id)?.status === 'accepted'
    for (const step of steps.split(' ')) {
      const id = step.slice(1)
      if (step[0] === '-') text.reject(id)
      else expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
      const inOrder = ['Intro.', 'A', 'B', 'One goes on.', 'Y', 'Z', 'Two goes on.', 'End.']
      const standing = inOrder.flatMap((words) => {
        if (words.length === 1) return isAccepted(words) ? [`New ${words.toLowerCase()}.`] : []
        return words.startsWith('One') && isAccepted('D') ? [] : [words]
      })
      expect(text.content).toBe(standing.join('\n\n') + '\n')
    }
    expect(text.content).toBe(withNew)
    const said = (suggested: readonly Suggested[]) =>
      suggested.map((it) => [it.id, it.range, it.suggested_text])
    expect(said(text.pending)).toEqual(said(all))
  }
})

const two = withNew.indexOf('Two')
const end = withNew.indexOf('End.')
const words = (id: string, start: number, behind: number, said = '') =>
  suggestAt(withNew, id, [start, behind], said)

it.each([
  ['two that took out a part of it each', '+D +A ~D ~A', words('D', two, end), words('A', one.start, two)],
  ['the other way round', '+A +D ~A ~D', words('D', two, end), words('A', one.start, two)],
  ['rejected between', '+A -S +D ~A ~D ~S', words('D', two, end), words('A', one.start, two)],
  ['one that replaced most', '+D +A ~D ~A', words('D', two, end - 2, 'Else.'), words('A', 6, two)],
  ['a paragraph put into it', '+D +A ~D ~A', words('D', two, two, 'New.\n\n'), words('A', one.start, two)],
])('what overlaps has its own words again after %s', (_what, steps, ...others) => {
  const all = [words('S', one.start + 4, end), ...others]
  const text = new DecidedText(withNew, all)
  for (const step of steps.split(' ')) {
    const id = step.slice(1)
    if (step[0] === '-') text.reject(id)
    else expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
  }
  expect(text.content).toBe(withNew)
  expect(text.pending.map(({ id, range }) => [id, range])).toEqual(all.map(({ id, range }) => [id, range]))
})

it.each(['+D +A ~D ~A', '+D +A ~D +D ~D ~A', '+D +A ~D ~A +A +D ~A ~D', '+A +D ~A ~D'])(
  'after %s paragraphs that went with the line ends between them are in their order',
  (steps) => {
    const all = [words('D', one.start, one.end), words('A', one.end - 2, end - 2)]
    const text = new DecidedText(withNew, all)
    const isGone = (id: string) => text.decided.has(id)
    for (const step of steps.split(' ')) {
      const id = step.slice(1)
      expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
      const left = [
        'Intro.',
        ...(isGone('D') ? [] : ['One goes on.']),
        ...(isGone('A') ? [] : ['Two goes on.']),
        'End.',
      ]
      expect(text.content).toBe(left.join('\n\n') + '\n')
    }
    expect(text.pending.map(({ range }) => range)).toEqual(all.map(({ range }) => range))
  },
)

it('what ends with the text has no place beyond that', () => {
  const last = { start: end, end: withNew.length }
  const all = [
    suggestAt(withNew, 'S', [last.start, last.end], ''),
    suggestAt(withNew, 'N', [last.end - 1, last.end - 1], '\n\nNew.'),
    suggestAt(withNew, 'D', [two, last.end - 1], ''),
  ]
  const text = new DecidedText(withNew, all)
  for (const id of ['N', 'D']) expect(text.accept(id)).toBe(true)
  for (const id of ['N', 'D']) expect(text.undo(id)).toBe(true)
  expect(text.find('S').range).toEqual(last)
})

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
