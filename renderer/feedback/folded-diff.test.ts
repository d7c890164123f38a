import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffSegments, type Segment } from '../../server/domain/diff-segments.ts'
import { foldDiff, unfold, type DiffBlock } from './folded-diff.ts'

const lines = (n: number, name = 'line') => Array.from({ length: n }, (_, i) => `${name} ${i}\n`).join('')
const textOf = (blocks: readonly DiffBlock[], without: Segment['kind']) =>
  blocks
    .flatMap((block): { kind: string; text: string }[] => (block.kind === 'fold' ? [block] : block.segments))
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('')

const prose = fc
  .array(fc.constantFrom('one ', 'two ', 'three', '\n', '\n\n', '# Title\n', '👩‍🚀 ', '\r\n'), {
    maxLength: 60,
  })
  .map((words) => words.join(''))

test('a folded comparison holds both texts exactly', () => {
  fc.assert(
    fc.property(prose, prose, fc.nat({ max: 3 }), (before, after, context) => {
      const blocks = foldDiff(diffSegments(before, after), context)
      expect(textOf(blocks, 'added')).toBe(before)
      expect(textOf(blocks, 'removed')).toBe(after)
    }),
  )
})

test('unfolding everything step by step loses nothing and ends', () => {
  fc.assert(
    fc.property(prose, fc.integer({ min: 1, max: 5 }), (text, step) => {
      let blocks: DiffBlock[] = [{ kind: 'fold', text, lines: 1 }]
      for (let n = 0; blocks.some(({ kind }) => kind === 'fold') && n < 200; n++) {
        blocks = blocks.flatMap((block) => (block.kind === 'fold' ? unfold(block, step) : [block]))
        expect(textOf(blocks, 'added')).toBe(text)
      }
      expect(blocks.every(({ kind }) => kind === 'text')).toBe(true)
    }),
  )
})

test('long unchanged stretches are folded, with two whole lines left on each side of a change', () => {
  const before = `${lines(10)}old words\n${lines(10, 'after')}`
  const blocks = foldDiff(diffSegments(before, before.replace('old', 'new')))
  expect(blocks.map(({ kind }) => kind)).toEqual(['fold', 'text', 'fold'])
  expect(blocks[0]).toMatchObject({ lines: 8 })
  expect(textOf([blocks[1]!], 'added')).toBe('line 8\nline 9\nold words\nafter 0\nafter 1\n')
})

test('a few unchanged lines are not worth a fold', () => {
  const before = `old\n${lines(6)}old\n`
  expect(foldDiff(diffSegments(before, before.replaceAll('old', 'new')))).toHaveLength(1)
})

test('a fold between two changes counts the lines it hides', () => {
  const before = `old\n${lines(20)}old\n`
  const folds = foldDiff(diffSegments(before, before.replaceAll('old', 'new'))).filter(
    ({ kind }) => kind === 'fold',
  )
  expect(folds).toMatchObject([{ lines: 16 }])
})

test('a large text is laid out in blocks that end with a line', () => {
  const blocks = foldDiff([{ kind: 'added', text: lines(5_000) }])
  expect(blocks.length).toBeGreaterThan(5)
  for (const block of blocks) expect(textOf([block], 'removed').endsWith('\n')).toBe(true)
})
