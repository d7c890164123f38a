import { moveLineDown } from '@codemirror/commands'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TestCompany, type CompanyWriter } from '../testing/company.ts'

const texts = [
  'one two three',
  'alpha bravo charlie delta echo',
  'aaa\nbbb\nccc\n',
  'First.\n\nSecond one.\n\nThird.',
]

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
    else if (what === 'replace' && from < to)
      writer.replace(from, to, writer.text.slice(from, to) === word ? 'QZ' : word)
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
  return { steps, settled }
}

describe('undo of what several have done', () => {
  it.each([2, 3])(
    'leaves the first text in reverse order: %i',
    (count) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...texts),
          fc.array(doing, { minLength: 1, maxLength: 6 }),
          (text, doings) => {
            const { steps, settled } = begin(text, doings, count)
            const together = settled()
            for (const writer of steps.toReversed()) {
              writer.undo()
              settled()
            }
            expect(settled()).toBe(text)
            for (const writer of steps) {
              writer.redo()
              settled()
            }
            expect(settled()).toBe(together)
          },
        ),
        { numRuns: Number(process.env['RUNS'] ?? 300), seed: 7 },
      )
    },
    120_000,
  )

  it.each([2, 3])(
    'leaves the first text in any order: %i',
    (count) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...texts),
          fc.array(doing, { minLength: 1, maxLength: 6 }),
          fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }),
          (text, doings, order) => {
            const { steps, settled } = begin(text, doings, count)
            let left = [...steps]
            for (const next of order) {
              if (left.length === 0) break
              const writer = left[next % left.length]!
              const at = left.findLastIndex((one) => one === writer)
              left = left.filter((_, i) => i !== at)
              writer.undo()
              settled()
            }
            expect(settled()).toBe(text)
          },
        ),
        { numRuns: Number(process.env['RUNS'] ?? 300), seed: 8 },
      )
    },
    120_000,
  )
})

describe('what undo once got wrong', () => {
  const two = (text: string) => {
    const company = new TestCompany(text, 2)
    const [one, other] = company.writers as [CompanyWriter, CompanyWriter]
    const settled = () => {
      company.settle()
      for (const writer of company.writers) expect(writer.text).toBe(company.content)
      return company.content
    }
    return { one, other, settled }
  }

  it.each<
    [
      what: string,
      text: string,
      doings: [who: number, from: number, to: number, put: string][],
      order: number[],
    ]
  >([
    [
      'no line end is left that was put between words',
      'one two three',
      [
        [0, 0, 0, '\n'],
        [1, 0, 0, 'XX'],
      ],
      [0, 1],
    ],
    [
      'no space is left where words came back before it',
      'one two three',
      [
        [0, 0, 7, ''],
        [0, 0, 3, ' new'],
        [1, 0, 0, 'XX'],
      ],
      [0, 0, 1],
    ],
    [
      'no letter is lost that went with the same one written over it',
      'First.\n\nSecond one.',
      [
        [0, 0, 7, ''],
        [0, 0, 2, '\n'],
        [1, 0, 1, ''],
      ],
      [0, 0, 1],
    ],
    [
      'no letter comes back for a like one that was written over before',
      'alpha bravo',
      [
        [1, 0, 2, 'abc'],
        [0, 0, 12, ''],
        [1, 0, 0, 'XX'],
      ],
      [0, 1, 1],
    ],
    [
      'no line end is left at the end of the text',
      'one two',
      [
        [0, 0, 0, 'XX'],
        [1, 0, 6, 'XX'],
        [0, 0, 0, 'XX'],
        [1, 0, 4, ''],
        [0, 0, 3, 'XX'],
        [0, 0, 0, '\n'],
      ],
      [1, 0, 0, 0, 0, 1],
    ],
    [
      'no space goes with one that was put beside it',
      'alpha bravo charlie',
      [
        [0, 0, 3, ''],
        [2, 0, 3, 'XX'],
        [0, 0, 0, 'y '],
        [1, 0, 0, 'XX'],
      ],
      [0, 0, 2, 1],
    ],
  ])('%s', (_, text, doings, order) => {
    const company = new TestCompany(text, 3)
    for (const [who, from, to, put] of doings) {
      const writer = company.writers[who]!
      writer.replace(from, Math.min(to, writer.text.length), put)
      company.settle()
    }
    for (const who of order) {
      company.writers[who]!.undo()
      company.settle()
    }
    expect(company.content).toBe(text)
  })

  it('words that were taken out around what was written over come back as they stood', () => {
    const { one, other, settled } = two('one two three')
    one.replace(4, 7, 'XX')
    settled()
    other.replace(0, 12, '')
    expect(settled()).toBe('')
    one.undo()
    expect(settled()).toBe('')
    other.undo()
    expect(settled()).toBe('one two three')
    one.redo()
    expect(settled()).toBe('one XX three')
  })

  it('a line that two have moved stands once', () => {
    const { one, other, settled } = two('aaa\nbbb\nccc')
    const down = (writer: CompanyWriter, line: string) => {
      writer.do({ selection: { anchor: writer.text.indexOf(line) } })
      moveLineDown({ state: writer.state, dispatch: (transaction) => writer.take(transaction) })
    }
    down(one, 'bbb')
    down(other, 'aaa')
    settled()
    one.undo()
    expect(settled().split('bbb')).toHaveLength(2)
    other.undo()
    expect(settled()).toBe('aaa\nbbb\nccc')
  })

  it('a word that was deleted in one’s own new paragraph doesn’t come back after undo of both', () => {
    const { one, other, settled } = two('First.')
    one.replace(6, 6, '\n\nA new one')
    settled()
    other.typeOver('new ', '')
    settled()
    one.undo()
    expect(settled()).toBe('First.')
    other.undo()
    expect(settled()).toBe('First.')
    one.redo()
    expect(settled()).toBe('First.\n\nA new one')
  })

  it('bullets that another has taken away don’t come back when both undo', () => {
    const { one, other, settled } = two('Words.')
    one.replace(0, 0, '- ')
    settled()
    other.replace(0, 2, '')
    settled()
    one.undo()
    settled()
    other.undo()
    expect(settled()).toBe('Words.')
  })
})
