import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anchorAt } from './anchors/anchor.ts'
import { placeNewAnchor } from './anchors/place-through-log.ts'
import { applyChanges, changesToJson } from './change-set.ts'
import { editByChanges, workOutEdit } from './document-change.ts'
import { inTurn } from './order-at-place.ts'
import { PiecedText } from './pieced-text.ts'

/** What is to be put in at a place that is told with a bar in the text. */
const putIn = (marked: string, said: string) => {
  const at = marked.indexOf('|')
  const text = marked.replace('|', '')
  const range = { start: at, end: at }
  return {
    text,
    record: {
      id: 's',
      kind: 'suggestion' as const,
      anchor: anchorAt(text, at, at),
      range,
      suggested_text: said,
    },
  }
}
const shown = (text: string, place: { start: number } | null | undefined) =>
  place && `${text.slice(0, place.start)}|${text.slice(place.start)}`

it.each([
  ['Line|\n\nOther.', '\n\nNew.', 'Line more\n\nOther.', 'Line more|\n\nOther.'],
  ['Line|\r\n\r\nOther.', '\r\n\r\nNew.', 'Line more\r\n\r\nOther.', 'Line more|\r\n\r\nOther.'],
  ['Line|', '\n\nNew.', 'Line more', 'Line more|'],
  ['Line|\n\nOther.', '\n\nNew.', '**Line**\n\nOther.', '**Line**|\n\nOther.'],
  ['- one|\n- two', '\n- new', '- one more\n- between\n- two', '- one more|\n- between\n- two'],
  ['A\n\n|Line', 'New.\n\n', 'A\n\nSo Line', 'A\n\n|So Line'],
  ['A\n\n|Line', 'New.\n\n', 'A\n\n**Line**', 'A\n\n|**Line**'],
  ['Line| here', ' words', 'Line more here', 'Line| more here'],
])('in %j %j is beside its line, once that is %j', (marked, said, after, place) => {
  const { text, record } = putIn(marked, said)
  const { moved } = workOutEdit({ before: text, after, anchors: [record] })
  expect(shown(after, moved[0] ? moved[0].range : record.range)).toBe(place)
})

const insert = fc.constantFrom(' more', 'So ', '**', '\nNext', ' on\nNext', '\n')
const written = fc.array(insert, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))

it.each(['\n\nNew.', 'New.\n\n', ' new'])(
  'what others write letter by letter, at once, and before it has come leaves %j at its place',
  (said) => {
    const marked = said.startsWith('N') ? 'Alpha\n\n|Beta one\n' : 'Alpha one|\n\nBeta\n'
    const { text, record } = putIn(marked, said)
    fc.assert(
      fc.property(fc.nat(), written, (part, letters) => {
        const at = part % (text.length + 1)
        let now = text
        let { range }: { range: { start: number; end: number } | null } = record
        const log = [...letters].map((letter, i) => {
          const changes = ChangeSet.of({ from: at + i, insert: letter }, now.length, '\n')
          const [moved] = editByChanges(PiecedText.of(now), changes, [{ ...record, range }]).moved
          if (moved) ({ range } = moved)
          now = applyChanges(now, changes)
          return changes
        })
        const { anchor, suggested_text: words } = record
        const late = placeNewAnchor({ content: now, anchor, log: log.map(changesToJson), words })
        const once = ChangeSet.of({ from: at, insert: letters }, text.length, '\n')
        const [moved] = editByChanges(PiecedText.of(text), once, [record]).moved
        const atOnce = moved ? moved.range : record.range
        expect([late, atOnce].map((place) => shown(now, place))).toEqual(Array(2).fill(shown(now, range)))
      }),
      { numRuns: 1000 },
    )
  },
)

it('lines before a line have their turn before words, and lines behind it after them, each as they were made', () => {
  const made = ['\nbehind', ' words', 'before\n', ' more', '\r\nfurther'].map((suggested_text) => ({
    id: suggested_text,
    suggested_text,
  }))
  expect(inTurn(made).map((one) => one.suggested_text)).toEqual([
    'before\n',
    ' words',
    ' more',
    '\nbehind',
    '\r\nfurther',
  ])
})

it('what stood beside another one’s words has its turn beside it, and what is in a circle its own', () => {
  const one = (id: string, suggested_text: string, side?: 'before' | 'behind', beside = '') => ({
    id,
    suggested_text,
    ...(side && { beside: { id: beside, side } }),
  })
  const ids = (made: readonly ReturnType<typeof one>[]) => inTurn(made).map(({ id }) => id)
  const made = [
    one('a', '\na'),
    one('c', '\nc'),
    one('b', ' b', 'behind', 'a'),
    one('d', ' d', 'behind', 'b'),
  ]
  expect(ids(made)).toEqual(['a', 'b', 'd', 'c'])
  expect(ids([one('a', 'a'), one('b', 'b', 'before', 'a'), one('c', 'c', 'before', 'a')])).toEqual([
    'b',
    'c',
    'a',
  ])
  expect(ids([one('a', 'a', 'behind', 'b'), one('b', 'b', 'before', 'a'), one('c', 'c')])).toEqual([
    'a',
    'b',
    'c',
  ])
  expect(ids([one('b', 'b', 'behind', 'hidden'), one('a', 'a')])).toEqual(['b', 'a'])
})
