import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DecidedText, suggestAt } from './testing/decided-text.ts'

/** A text of words that often stand there twice, and suggestions anywhere in it: within words, at lines' ends, side by side. */
const anyDocument = fc
  .record({
    pieces: fc.array(fc.constantFrom('one', 'two', 'One two', '# One', '- two', '| one | two |', '😀'), {
      minLength: 1,
      maxLength: 7,
    }),
    ends: fc.array(fc.constantFrom(' ', '\n', '\n\n', '\n\n', '\r\n', '\r\n\r\n'), {
      minLength: 8,
      maxLength: 8,
    }),
    places: fc.tuple(fc.tuple(fc.nat(), fc.nat()), fc.tuple(fc.nat(), fc.nat())),
    words: fc.tuple(
      ...[0, 1].map(() =>
        fc.constantFrom(
          '',
          '',
          ' ',
          'one',
          'two',
          ' one',
          'one two',
          '\n\nNew.',
          'New.\n\n',
          '\n- two',
          '\r\n\r\nNew.',
          '\n',
          '\n\n',
        ),
      ),
    ),
  })
  .map(({ pieces, ends, places, words }) => {
    const content = pieces.map((piece, i) => piece + ends[i]!).join('')
    // Often where words or line ends begin or end, as people suggest.
    const edges = [...content.matchAll(/(?<=\s)(?=\S)|(?<=\S)(?=\s)|^|$|(?<=\n)(?=\r?\n)/g)].map(
      ({ index }) => index,
    )
    const suggested = places.map(([from, size], i) => {
      const at = from % edges.length
      const start = edges[at]!
      const end = edges[Math.min(edges.length - 1, at + (size % 4))]!
      return suggestAt(content, 'ab'[i]!, [start, end], words[i]!)
    })
    return { content, suggested }
  })
  .filter(({ suggested }) => suggested.every((one) => one.original_text !== one.suggested_text))

const runs = { numRuns: 500 }

it('a decision taken back at once gives the text back, with it where it stood and the other as it was worded', () => {
  fc.assert(
    fc.property(anyDocument, ({ content, suggested }) => {
      for (const { id, range } of suggested) {
        const text = new DecidedText(content, suggested)
        expect(text.accept(id)).toBe(true)
        expect(text.undo(id)).toBe(true)
        expect(text.content).toBe(content)
        expect(text.placeOf(id)).toEqual(range)
        const said = text.pending.map((one) => [one.id, one.suggested_text, one.lineEnds ?? null]).toSorted()
        expect(said).toEqual(suggested.map((one) => [one.id, one.suggested_text, null]))
      }
    }),
    runs,
  )
})

it('two taken back in either order give the text back, or the first is left as the other is, or was, on it', () => {
  fc.assert(
    fc.property(anyDocument, fc.boolean(), ({ content, suggested }, isFirstFirst) => {
      const text = new DecidedText(content, suggested)
      expect(text.accept('a')).toBe(true)
      const after = text.content
      if (!text.accept('b')) return
      const both = text.content
      const [one, other] = suggested.map(({ range }) => range!)
      // Of words that two share, what the second did stands on what the first did; and where one replaces words right
      // beside another's, what it has put in may be told as put in beside these.
      const isPlain = suggested.every((it) => it.original_text === '' || it.suggested_text === '')
      const gap = Math.max(other!.start - one!.end, one!.start - other!.end)
      const isApart = gap > 0 || (gap === 0 && isPlain)
      if (isFirstFirst && isApart) {
        const isBack = text.undo('a')
        if (!isBack) expect(text.content).toBe(both)
        expect(text.undo('b')).toBe(true)
        if (!isBack) expect(text.content).toBe(after)
        if (!isBack) expect(text.undo('a')).toBe(true)
      } else {
        expect(text.undo('b')).toBe(true)
        expect(text.content).toBe(after)
        // Which of several line ends in a row has come back isn’t told, so that what began with one may be left.
        const [first, second] = suggested
        const mayBeLeft =
          gap < 0 &&
          /^\r?\n/.test(first!.suggested_text) &&
          second!.original_text.endsWith('\n') &&
          second!.suggested_text !== ''
        if (!text.undo('a')) {
          expect(mayBeLeft).toBe(true)
          expect(text.content).toBe(after)
          return
        }
      }
      expect(text.content).toBe(content)
    }),
    runs,
  )
})

it.each([
  ['- milk (1 l)\n', '- oil (1 l)\n', '1', 'End.\n'],
  ['First para has the teh word.\n\n', 'Second para has the teh word.\n\n', 'teh', 'End.\n'],
])('leaves another’s suggestion off the same words of %j beside its own', (own, other, words, rest) => {
  const content = own + other + rest
  const at = content.indexOf(words)
  const text = new DecidedText(content, [
    suggestAt(content, 'pending', [at, at + words.length], 'new'),
    suggestAt(content, 'own', [0, own.length], ''),
    suggestAt(content, 'other', [own.length, own.length + other.length], ''),
  ])
  for (const id of ['own', 'other']) expect(text.accept(id)).toBe(true)
  expect(text.undo('other')).toBe(true)
  expect(text.placeOf('pending')).toBeNull()
  expect(text.undo('own')).toBe(true)
  expect(text.content).toBe(content)
  expect(text.placeOf('pending')).toEqual({ start: at, end: at + words.length })
})

const twoParagraphs = 'Intro.\n\nPara one goes on.\n\nPara two goes on.\n\nEnd.\n'
const list = 'Intro.\n\nPara one goes.\n\n- item one\n- item two\n'
const same = 'Intro\r\n\r\nteh x\r\n\r\nteh x\r\n\r\nEnd\r\n\r\n'
const alike = 'First has the teh words in it.\n\nSecond has the teh words in it.\n\nEnd.\n'

/** Takes out (or puts) `words` where they first stand; of places alone, behind these. */
const made = (content: string, id: string, words: string, said: string, isBehind = false) => {
  const start = content.indexOf(words)
  const end = start + words.length
  return suggestAt(content, id, isBehind ? [end, end] : [start, end], said)
}

it.each([
  [
    '+A ~A',
    twoParagraphs,
    [
      made(twoParagraphs, 'A', 'Para one goes on.\n\n', ''),
      made(twoParagraphs, 'B', '\nPara two goes on.', ''),
    ],
  ],
  [
    '+A -B ~A ~B',
    twoParagraphs,
    [
      made(twoParagraphs, 'A', 'Para one goes on.\n\n', ''),
      made(twoParagraphs, 'B', '\nPara two goes on.', ''),
    ],
  ],
  [
    '+D -N ~D ~N',
    list,
    [made(list, 'D', '- item two\n', ''), made(list, 'N', '- item two', '\n- new', true)],
  ],
  [
    '+D +N ~D ~N',
    list,
    [made(list, 'D', '- item two\n', ''), made(list, 'N', '- item two', '\n- new', true)],
  ],
  [
    '+A +B -S ~B ~S ~A',
    alike,
    [
      made(alike, 'S', 'the teh words in it', 'new'),
      made(alike, 'A', 'First has the teh words in it.\n\n', ''),
      made(alike, 'B', 'Second has the teh words in it.\n\n', ''),
    ],
  ],
  [
    '+A -S +B ~A ~B +A ~S ~A',
    alike,
    [
      made(alike, 'A', alike.slice(0, alike.indexOf('Second')), ''),
      made(alike, 'B', alike.slice(alike.indexOf('Second'), -5), ''),
      made(alike, 'S', 'Second', 'new'),
    ],
  ],
  [
    '-B +A +S ~B ~A ~S',
    same,
    [
      made(same, 'A', 'teh x\r\n\r\n', ''),
      suggestAt(same, 'B', [18, 27], ''),
      suggestAt(same, 'S', [18, 23], 'new'),
    ],
  ],
  [
    '+N +R ~N ~R',
    list,
    [made(list, 'R', list.slice(8), 'Instead.'), made(list, 'N', '- item two', '\n- new', true)],
  ],
  [
    '+D +N ~D ~N',
    '- two\n\n',
    [made('- two\n\n', 'D', ' two', ''), suggestAt('- two\n\n', 'N', [1, 1], '\r\n\r\nNew.')],
  ],
])('%s leaves all as it was', (steps, content, suggested) => {
  const text = new DecidedText(content, suggested)
  for (const step of steps.split(' ')) {
    const id = step.slice(1)
    if (step[0] === '-') text.reject(id)
    else expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
  }
  expect(text.content).toBe(content)
  const standing = text.pending.map(({ id, range, suggested_text }) => ({ id, range, suggested_text }))
  expect(standing).toEqual(suggested.map(({ id, range, suggested_text }) => ({ id, range, suggested_text })))
})

it('keeps lines apart that come to one place, and those behind what is replaced with its last line end', () => {
  const out = twoParagraphs.slice(8, -7)
  const both = new DecidedText(twoParagraphs, [
    made(twoParagraphs, 'D', out, ''),
    made(twoParagraphs, 'M', 'one goes on.', '\n\nNew one.', true),
    made(twoParagraphs, 'N', 'one goes on.\n\n', 'New two.\n\n', true),
  ])
  for (const id of ['D', 'M', 'N']) expect(both.accept(id)).toBe(true)
  expect(both.content).toBe('Intro.\n\nNew one.\n\nNew two.\n\nEnd.\n')
  const replaced = new DecidedText(list, [
    made(list, 'R', list.slice(8), 'Instead.'),
    made(list, 'N', '- item two', '\n- new', true),
  ])
  for (const id of ['N', 'R']) expect(replaced.accept(id)).toBe(true)
  expect(replaced.content).toBe('Intro.\n\nInstead.\n- new\n')
})

it.each([
  '+D +M +N ~D ~M ~N',
  '+D +M +N ~D ~N ~M',
  '+D +N ~D +D ~D ~N',
  '+D +M +N ~D +D ~M ~D ~N',
  '+D +N ~D ~N',
])(
  'keeps what comes back apart from lines that were accepted where it had been, until these go: %s',
  (steps) => {
    const suggested = [
      made(twoParagraphs, 'D', twoParagraphs.slice(8, -7), ''),
      made(twoParagraphs, 'M', 'one goes on.', '\n\nNew one.', true),
      made(twoParagraphs, 'N', 'one goes on.\n\n', 'New two.\n\n', true),
    ]
    const text = new DecidedText(twoParagraphs, suggested)
    const paragraphs = new Set(['New one.', 'New two.', ...twoParagraphs.split(/\n+/)])
    for (const step of steps.split(' ')) {
      const id = step.slice(1)
      expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
      expect(text.content.split(/\n\n+|\n$/).filter((one) => !paragraphs.has(one))).toEqual([])
    }
    expect(text.content).toBe(twoParagraphs)
    const said = (all: typeof text.pending) => all.map((one) => [one.id, one.range, one.suggested_text])
    expect(said(text.pending)).toEqual(said(suggested))
  },
)

it('says what its author said again where another was accepted at the cut meanwhile', () => {
  const suggested = [
    made(twoParagraphs, 'D', 'Para one goes on.', ''),
    made(twoParagraphs, 'N', 'Para one goes on.', '\n\nNew one.', true),
    made(twoParagraphs, 'M', 'Para one goes on.', 'New two.\n\n', true),
  ]
  const text = new DecidedText(twoParagraphs, suggested)
  for (const id of ['D', 'N']) expect(text.accept(id)).toBe(true)
  expect(text.find('M').suggested_text).toBe('\n\nNew two.\n\n')
  for (const id of ['D', 'N']) expect(text.undo(id)).toBe(true)
  expect(text.content).toBe(twoParagraphs)
  expect(text.find('M').suggested_text).toBe('New two.\n\n')
})

it.each([
  '-B +A ~B +B',
  '+W +A ~W +C',
  '-A +B ~A +A',
  '-C +B ~C +A +C',
  '-C -B +A ~C ~B +C +B',
  '+W -A +B ~W ~A +A',
])('after %s what is put in at one place stands in the order in which it was made', (steps) => {
  const content = 'One two three.\n'
  const all = [
    suggestAt(content, 'W', [4, 7], 'word'),
    ...['A', 'B', 'C'].map((id) => suggestAt(content, id, [7, 7], ` ${id}`)),
  ]
  const text = new DecidedText(content, all)
  for (const step of steps.split(' ')) {
    const id = step.slice(1)
    if (step[0] === '-') text.reject(id)
    else expect(step[0] === '+' ? text.accept(id) : text.undo(id)).toBe(true)
  }
  const put = ['A', 'B', 'C'].filter((id) => text.decided.get(id)?.status === 'accepted')
  expect(text.content).toBe(`One two${put.map((id) => ` ${id}`).join('')} three.\n`)
})

it.each(['+D +C +B', '+D +B +C', '+C +D +B', '+B +D +C', '+D +B ~B +C +B'])(
  'after %s what was put in before and behind what is taken out stands so',
  (steps) => {
    const content = 'One two three.\n'
    const all = [
      suggestAt(content, 'D', [4, 8], ''),
      suggestAt(content, 'B', [8, 8], 'b '),
      suggestAt(content, 'C', [4, 4], 'c '),
    ]
    const text = new DecidedText(content, all)
    for (const step of steps.split(' '))
      expect(step[0] === '+' ? text.accept(step.slice(1)) : text.undo(step.slice(1))).toBe(true)
    expect(text.content).toBe('One c b three.\n')
  },
)
