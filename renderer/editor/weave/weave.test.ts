import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bounded } from './bounded.ts'
import { Weave, type Labels, type Splice } from './weave.ts'

const step = fc.integer({ min: 1, max: 4 })
const place = fc.double({ min: 0, max: 0.999, noNaN: true })
const parts = fc.array(fc.record({ at: place, length: fc.integer({ min: 1, max: 6 }), step }), {
  maxLength: 4,
})

const change = fc.record({
  isOwn: fc.boolean(),
  splices: fc.array(
    fc.record({ at: place, length: fc.nat(3), insert: fc.constantFrom('', 'a', 'ab', ' b\n', 'abc abc') }),
    { minLength: 1, maxLength: 4 },
  ),
  put: parts,
  taken: parts,
  undo: fc.array(step, { maxLength: 3 }),
  redo: fc.array(step, { maxLength: 2 }),
  isBounded: fc.boolean(),
})

/** In order, and none that meets another. */
function placed(all: readonly { at: number; length: number }[], length: number) {
  let end = 0
  return all
    .map((one) => ({ ...one, from: Math.floor(one.at * (length + 1)) }))
    .sort((a, b) => a.from - b.from)
    .flatMap((one) => {
      const from = Math.max(end, one.from)
      const to = Math.min(length, from + one.length)
      if (from > to) return []
      end = to
      return [{ ...one, from, to }]
    })
}

const applied = (text: string, splices: readonly Splice[]) =>
  splices.reduceRight((all, { from, to, insert }) => all.slice(0, from) + insert + all.slice(to), text)

it('whatever others say of their steps, a weave has the text, and what it turns is of it', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      let text = 'abc ab a\nb c abc'
      let weave = Weave.of(text.length)
      const read = (from: number, to: number) => text.slice(Math.max(0, from), to)
      for (const { isOwn, splices: said, put, taken, undo, redo, isBounded } of changes) {
        const splices = placed(said, text.length) as unknown as Splice[]
        const after = applied(text, splices)
        const labelled = (all: typeof put, { length }: string) =>
          placed(all, length).map((one) => ({ ...one, step: -(one as unknown as { step: number }).step }))
        const labels: Labels = {
          put: isOwn ? [] : labelled(put, after),
          taken: isOwn ? [] : labelled(taken, text),
          otherwise: isOwn ? 1 : -9,
          takesBack: !isOwn && undo.length + redo.length > 0,
        }
        const turn = isOwn ? {} : { undo: undo.map((one) => -one), redo: redo.map((one) => -one) }
        weave = weave.changed(splices, read, labels, turn)
        text = after
        if (isBounded) weave = bounded(weave, [{ id: 1, tidied: [] }])
        expect(weave.length).toBe(text.length)
        for (const way of [{ undo: [1] }, { redo: [1] }, { undo: [1, -1, -2] }]) {
          const turned = weave.turned(way, read)
          expect(turned.weave.length).toBe(applied(text, turned.splices).length)
        }
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? 500), seed: 11 },
  )
})
