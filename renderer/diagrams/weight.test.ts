import { expect, it } from 'vitest'
import { isHeavy } from './weight.ts'

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
