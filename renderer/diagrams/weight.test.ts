import { expect, it } from 'vitest'
import { isHeavy, tooLarge } from './weight.ts'

const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i))

it('takes what people draw for light, whatever its kind', () => {
  const chart = lines(40, (i) => `  step${i}["Step ${i} & more"] -->|and so on| step${i + 1}`)
  expect(isHeavy(`flowchart TD\n${chart.join('\n')}`)).toBe(false)
  const talk = lines(60, (i) => `  Writer->>Reader: Word ${i} -- and more`)
  expect(isHeavy(`sequenceDiagram\n${talk.join('\n')}`)).toBe(false)
  expect(isHeavy('flowchart LR\n  A & B --> C & D --> E')).toBe(false)
})

it.each([
  ['many connections', `flowchart LR\n${lines(400, (i) => `a${i} --> b${i}`).join('\n')}`],
  ['many in one line', `flowchart LR\n${lines(400, (i) => `a${i}`).join('-->')}`],
  ['many in one line, of few signs', `flowchart LR\n${lines(200, (i) => `a${i}`).join(';')}`],
  [
    'each with each',
    `flowchart LR\n${lines(20, (i) => `a${i}`).join('&')}-->${lines(20, (i) => `b${i}`).join('&')}`,
  ],
  ['a long source', `flowchart LR\n  A[${'x'.repeat(6_000)}]`],
])('takes %s for heavy', (_what, source) => {
  expect(isHeavy(source)).toBe(true)
})

const connected = (count: number) => `flowchart LR\n${lines(count, (i) => `a${i} --> b${i}`).join('\n')}`

it('says of one that is too large that it is, and doesn’t offer to draw it', () => {
  for (const [source, reason] of [
    [`pie\n${'x'.repeat(30_000)}`, 'It is longer than 30,000 characters.'],
    [connected(401), 'It has more than 400 connections.'],
    [
      `---\ntitle: T\n---\n%% all\ngraph TD\n${lines(402, (i) => `a${i}`).join('-- so -->')}`,
      'It has more than 400 connections.',
    ],
    [
      `flowchart LR\n${lines(21, (i) => `a${i}`).join(' & ')} ==> ${lines(20, (i) => `b${i}["&"]`).join(' & ')}`,
      'It has more than 400 connections.',
    ],
  ] as const) {
    expect(tooLarge(source)).toBe(reason)
    expect(isHeavy(source)).toBe(false)
  }
})

it('leaves to the drawing what may be right', () => {
  for (const source of [
    connected(400),
    // What is written in it is no connection.
    connected(390).replaceAll('b1', 'b["a --> b --> c & d"]'),
    connected(395).replaceAll(' --> ', ' -- so & so -->|and| '),
    connected(500).replace('flowchart LR', 'classDiagram'),
  ])
    expect(tooLarge(source)).toBe(null)
})
