import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { CommentThread, FeedbackPlace, SignedComment, TextWithFeedback } from '../document-feedback.ts'
import { anyText, whole } from '../testing/arbitrary-text.ts'
import { readCriticMarkup as readSome } from './read.ts'
import { writeCriticMarkup } from './write.ts'

const readCriticMarkup = (source: string) => readSome(source)!
const by = (author: string, body = ''): SignedComment => ({ author, body })
const text = (content: string, feedback: Partial<TextWithFeedback> = {}): TextWithFeedback => ({
  ...{ content, threads: [], edits: [] },
  ...feedback,
})
const edit = (
  start: number,
  original: string,
  suggested: string,
  comment = by('Ann'),
  replies: SignedComment[] = [],
) => {
  return { place: { start, end: start + original.length }, original, suggested, comment, replies }
}
const thread = (
  place: FeedbackPlace | null,
  ...comments: [SignedComment, ...SignedComment[]]
): CommentThread => ({
  place,
  comments,
})

describe('a text with feedback', () => {
  it('is written with suggestions and comments at their words, by name', () => {
    const content = 'One fine day we met.'
    const written = writeCriticMarkup(
      text(content, {
        edits: [
          edit(0, 'One', 'Some', by('Ann', 'Softer.'), [by('Bob', 'Yes.')]),
          edit(4, 'fine ', ''),
          edit(15, '', ' all', by('Eve')),
        ],
        threads: [thread({ start: 16, end: 19 }, by('Bob', 'Where?'), by('Ann', 'At the door.'))],
      }),
    )
    expect(written).toBe(
      '{~~One~>Some~~}{>>@Ann: Softer.<<}{>>@Bob: Yes.<<} {--fine --}{>>@Ann:<<}day we{++ all++}{>>@Eve:<<} ' +
        '{==met==}{>>@Bob: Where?<<}{>>@Ann: At the door.<<}.',
    )
  })

  it('has what overlaps, is about all of it or has lost its place behind it', () => {
    const written = writeCriticMarkup(
      text('One fine day.', {
        edits: [edit(4, 'fine', 'good'), edit(0, 'One fine', 'A'), { ...edit(0, 'gone', ''), place: lost }],
        threads: [
          thread(null, by('Bob', 'Short.')),
          thread({ start: 4, end: 12 }, by('A (b): c\\', 'Which?'), by('Bob', 'This.')),
        ],
      }),
    )
    expect(written.split('\n\n')).toEqual([
      'One {~~fine~>good~~}{>>@Ann:<<} day.',
      '{>>@Ann (suggests "A" for "One fine" at 0):<<}',
      '{>>@Ann (suggests "" for "gone" after "was " before ""):<<}',
      '{>>@Bob (on the whole text): Short.<<}',
      '{>>@A \\(b)\\: c\\\\ (on "fine day" at 4): Which?<<}{>>@Bob: This.<<}',
    ])
  })
})
const lost = { exact: 'gone', prefix: 'was ', suffix: '' }

test('signs that are somebody’s words have a backslash, in and outside of marks', () => {
  const content = 'A \\{++ sign {--x--} and ~> it'
  const written = writeCriticMarkup(text(content, { edits: [edit(12, '{--x--} and ~>', '{++}~~}')] }))
  expect(written).toBe('A \\\\\\{++ sign {~~\\{--x--} and ~\\>~>\\{++}~~\\}~~}{>>@Ann:<<} it')
  expect(readCriticMarkup(written).content).toBe(content)
})

describe('CriticMarkup from elsewhere', () => {
  it('is read with comments at the word they stand behind, and suggestions without names', () => {
    const { content, threads, edits, kept } = readCriticMarkup(
      'Don’t go {++too ++}far{>> how far? <<}.\n\n{--All--}{>>@Bob: why<<} {==of it==}{>>hm<<}',
    )
    expect(content).toBe('Don’t go far.\n\nAll of it')
    expect(edits).toEqual([edit(9, '', 'too ', by('')), edit(15, 'All', '', by('Bob', 'why'))])
    expect(threads).toEqual([
      thread({ start: 9, end: 12 }, by('', ' how far? ')),
      thread({ start: 19, end: 24 }, by('', 'hm')),
    ])
    expect(kept).toEqual([])
  })

  it.each([
    ['a {++b', [{ line: 1, sign: '{++', why: 'unclosed' }]],
    ['a\n{--b {++c++} d--} e', [{ line: 2, sign: '{--', why: 'nested' }]],
    ['a {++++} b', [{ line: 1, sign: '{++', why: 'empty' }]],
    [
      'a {==b==} c\n\n{~~d~~}',
      [
        { line: 1, sign: '{==', why: 'no comment' },
        { line: 3, sign: '{~~', why: 'no middle' },
      ],
    ],
    [
      '{++} \\\\{-- ++}',
      [
        { line: 1, sign: '{++', why: 'nested' },
        { line: 1, sign: '{--', why: 'unclosed' },
      ],
    ],
    ['no signs, \\ and } and {', []],
  ])('is kept as text where it is broken: %j', (source, kept) => {
    const read = readCriticMarkup(source)
    if (source.startsWith('{++}')) return expect(read.content).toBe(source)
    expect(read).toEqual({ content: source, threads: [], edits: [], kept })
  })

  it('is read on behind a mark that is never closed', () => {
    const read = readCriticMarkup('a {++b {--c--} d')
    expect(read.content).toBe('a {++b c d')
    expect(read.edits).toEqual([edit(7, 'c', '', by(''))])
  })

  it('is read in one go, however many signs are never closed', () => {
    const source = '{++{>>~>++}\\'.repeat(5_000) + '{=='.repeat(10_000)
    expect(readCriticMarkup(source).kept.length).toBeGreaterThan(10_000)
    expect(readCriticMarkup('\\'.repeat(300_000)).content).toHaveLength(300_000)
  })

  it('isn’t read where it is more than comes in at once, and no further than tells so', () => {
    const most = '{++a++}{>>b<<}'.repeat(2_500) + 'c{>>d<<}{>>e<<} '.repeat(1_250)
    expect(readCriticMarkup(most).edits).toHaveLength(2_500)
    for (const source of [`${most}{>>f<<}`, '{++a++}{>>b<<}'.repeat(700_000), '{++'.repeat(3_400_000)])
      expect(readSome(source)).toBeNull()
  })

  it('is read in one go, however much stands behind a long text', () => {
    const words = 'word '.repeat(400_000)
    const read = readCriticMarkup(words + '\n\n{>>@A (on "gone" after "x" before "y"): z<<}'.repeat(5_000))
    expect([read.content === words, read.threads.length]).toEqual([true, 5_000])
  })
})

test('who is no person is told so behind the name, which no name can imitate', () => {
  const guest: SignedComment = { author: 'Ann (agent)', kind: 'guest', body: 'b' }
  const agent: SignedComment = { author: 'Claude', kind: 'agent', body: '' }
  const content = 'One day'
  const written = writeCriticMarkup(
    text(content, {
      edits: [edit(0, 'One', 'A', agent, [guest])],
      threads: [thread({ start: 0, end: 7 }, guest), thread(null, by('Ann (guest)', 'c'))],
    }),
  )
  expect(written.split('\n\n')).toEqual([
    '{~~One~>A~~}{>>@Claude (agent):<<}{>>@Ann \\(agent) (guest): b<<} day',
    '{>>@Ann \\(agent) (guest) (on "One day" at 0): b<<}',
    '{>>@Ann \\(guest) (on the whole text): c<<}',
  ])
  const read = readCriticMarkup(written)
  expect(read.edits).toEqual([edit(0, 'One', 'A', agent, [guest])])
  expect(read.threads.map(({ comments }) => comments)).toEqual([[guest], [by('Ann (guest)', 'c')]])
})

const signs = fc.constantFrom(
  ...[
    '{++',
    '++}',
    '{--',
    '--}',
    '{~~',
    '~>',
    '~~}',
    '{>>',
    '<<}',
    '{==',
    '==}',
    '{',
    '}',
    '+',
    '-',
    '~',
    '>',
    '<',
  ],
  ...[
    '=',
    '\\',
    '\\\\',
    '\\{++',
    '~\\>',
    '++\\}',
    '\r\n',
    '\n\n',
    '\n',
    '```\n',
    '@Ann: ',
    ' (on "a" at 1): ',
    '"',
  ],
)
const nasty = fc
  .array(fc.oneof({ weight: 3, arbitrary: signs }, fc.string({ unit: 'binary', maxLength: 4 }), anyText), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

const kind = fc.constantFrom('guest' as const, 'agent' as const, 'script' as const)
const comment = fc.record({ author: nasty, kind, body: nasty }, { requiredKeys: ['author', 'body'] })
const lostPlace = fc.record({ exact: nasty, prefix: nasty, suffix: nasty })

/** A text with feedback anywhere in it: beside, within and across each other. */
const anyFeedback: fc.Arbitrary<TextWithFeedback> = nasty.chain((content) => {
  const range = fc.tuple(fc.nat(content.length), fc.nat(content.length)).map(([a, b]) => {
    return { start: whole(content, Math.min(a, b)), end: whole(content, Math.max(a, b)) }
  })
  const anyThread = fc.record({
    place: fc.oneof(fc.constant(null), lostPlace, range),
    comments: fc.array(comment, { minLength: 1, maxLength: 3 }) as unknown as fc.Arbitrary<
      [SignedComment, ...SignedComment[]]
    >,
  })
  const anyEdit = fc.record({
    range: fc.oneof(
      range,
      range.map(({ start }) => ({ start, end: start })),
    ),
    lost: fc.option(lostPlace, { freq: 4 }),
    suggested: nasty,
    comment,
    replies: fc.array(comment, { maxLength: 2 }),
  })
  return fc.record({
    content: fc.constant(content),
    threads: fc.array(anyThread, { maxLength: 4 }),
    edits: fc.array(anyEdit, { maxLength: 5 }).map((all) =>
      all.map(({ range: at, lost: gone, ...rest }) => ({
        ...rest,
        original: gone ? gone.exact : content.slice(at.start, at.end),
        place: gone ?? at,
      })),
    ),
  })
})

const inOrder = <Item>(items: readonly Item[]) => items.map((item) => JSON.stringify(item)).sort()

test('what is written is read as it was: the text to the letter, and all that was said of it where it was said', () => {
  fc.assert(
    fc.property(anyFeedback, (one) => {
      const read = readCriticMarkup(writeCriticMarkup(one))
      expect(read.content).toBe(one.content)
      expect(read.kept).toEqual([])
      expect(inOrder(read.threads.map(({ place, comments }) => [place, comments]))).toEqual(
        inOrder(one.threads.map(({ place, comments }) => [place, comments])),
      )
      const fields = ({ place, original, suggested, comment: why, replies }: (typeof one.edits)[number]) => {
        return [place, original, suggested, why, replies]
      }
      expect(inOrder(read.edits.map(fields))).toEqual(inOrder(one.edits.map(fields)))
    }),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 1000) },
  )
})

test('anything is read without losing a letter that isn’t a sign', () => {
  fc.assert(
    fc.property(nasty, (source) => {
      const read = readCriticMarkup(source)
      if (read.threads.length === 0 && read.edits.length === 0 && !source.includes('\\'))
        expect(read.content).toBe(source)
      const again = readCriticMarkup(writeCriticMarkup(read))
      expect(again.content).toBe(read.content)
      expect(again.edits).toHaveLength(read.edits.length)
      expect(again.threads).toHaveLength(read.threads.length)
    }),
  )
})
