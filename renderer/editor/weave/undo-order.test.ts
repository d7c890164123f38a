import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TestCompany, type CompanyWriter } from '../testing/company.ts'

const texts = ['one two three', 'alpha bravo charlie delta echo', 'aaa\nbbb\nccc\n', 'First.\n\nSecond one.\n\nThird.']

const doing = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom('type', 'replace', 'delete', 'cut line'),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  length: fc.integer({ min: 1, max: 9 }),
  word: fc.constantFrom('XX', ' new', 'y ', 'abc', '\n'),
})

interface Doing {
  who: number
  what: string
  at: number
  length: number
  word: string
}

function begin(text: string, doings: readonly Doing[], count: number) {
  const company = new TestCompany(text, count)
  const settled = () => {
    company.settle()
    for (const one of company.writers) expect(one.text).toBe(company.content)
    return company.content
  }
  const steps: CompanyWriter[] = []
  for (const { who, what, at, length, word } of doings) {
    const writer = company.writers[who % count]!
    const from = Math.floor(at * (writer.text.length + 1))
    const to = Math.min(writer.text.length, from + length)
    if (what === 'type') writer.replace(from, from, word)
    else if (what === 'replace' && from < to) writer.replace(from, to, writer.text.slice(from, to) === word ? 'QZ' : word)
    else if (what === 'delete' && from < to) writer.replace(from, to, '')
    else if (what === 'cut line') {
      const { from, to } = writer.state.doc.lineAt(Math.floor(at * (writer.text.length + 1)))
      const end = Math.min(writer.text.length, to + 1)
      if (from === end) continue
      writer.replace(from, end, '')
    } else continue
    steps.push(writer)
    settled()
  }
  return { company, steps, settled }
}

const bare = (text: string) => text

describe('undo of what several have done', () => {
  it.each([2, 3])(
    'leaves the first text in reverse order: %i',
    (count) => {
      fc.assert(
        fc.property(fc.constantFrom(...texts), fc.array(doing, { minLength: 1, maxLength: 6 }), (text, doings) => {
          const { steps, settled } = begin(text, doings, count)
          const together = settled()
          for (const writer of steps.toReversed()) {
            writer.undo()
            settled()
          }
          expect(bare(settled())).toBe(text)
          for (const writer of steps) {
            writer.redo()
            settled()
          }
          expect(bare(settled())).toBe(together)
        }),
        { numRuns: Number(process.env['RUNS'] ?? 300), seed: 7 },
      )
    },
    120_000,
  )

  it.each([2, 3])(
    'leaves the first text in any order: %i',
    (count) => {
      let [runs, wrong] = [0, 0]
      const wrongs: string[] = []
      fc.assert(
        fc.property(
          fc.constantFrom(...texts),
          fc.array(doing, { minLength: 1, maxLength: 6 }),
          fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }),
          (text, doings, order) => {
            const { company, steps, settled } = begin(text, doings, count)
            let left = [...steps]
            const turns: number[] = []
            for (const next of order) {
              if (left.length === 0) break
              const writer = left[next % left.length]!
              turns.push(company.writers.indexOf(writer))
              const at = left.findLastIndex((one) => one === writer)
              left = left.filter((_, i) => i !== at)
              writer.undo()
              settled()
            }
            runs++
            if (process.env['SHRINK'] && settled() !== text) throw new Error(`${settled()} after ${turns.join()}`)
            if (settled() !== text) {
              wrong++
              wrongs.push(JSON.stringify({ text, now: settled(), doings: doings.map(({ who, ...one }) => ({ who: who % count, ...one })) }))
            }
          },
        ),
        { numRuns: Number(process.env['RUNS'] ?? 300), seed: 8 },
      )
      if (process.env['SHOW']) console.log(wrong, 'of', runs, wrongs.toSorted((a, b) => a.length - b.length).slice(0, 5).join('\n'))
      expect(wrong).toBe(0)
    },
    120_000,
  )
})
