import { expect, it } from 'vitest'
import { asDrawn } from '../editor/read-line.ts'
import { drawnAround, drawnChange } from './drawn-change.ts'

const [square, cube] = [asDrawn('$x^2$'), asDrawn('$x^3$')]

it('takes formulas out and puts them in as a whole, to be drawn', () => {
  expect(drawnChange('as $x^2$ is', 'as $x^3$ is', ['By $a*b*c$, ', ' *so*']).segments).toEqual([
    { kind: 'same', text: 'as ' },
    { kind: 'removed', text: square },
    { kind: 'added', text: cube },
    { kind: 'same', text: ' is' },
  ])
  expect(drawnChange('$x^2$ is', '$x^2$ was', ['', '']).segments[0]).toEqual({
    kind: 'same',
    text: `${square} `,
  })
})

it('draws formulas around what changes, without marks of bold among words', () => {
  expect(drawnAround(['By $a*b*c$, ', ' *so*'])).toEqual([`By ${asDrawn('$a*b*c$')}, `, ' so'])
  // Of one that is cut nothing can be drawn.
  expect(drawnAround(['b^2$ and ', ' $c'])).toEqual(['b^2$ and ', ' $c'])
})

it('has a formula of several lines be one', () => {
  const { segments } = drawnChange('', 'So\n\n$$\na\n+ b\n$$\n\n```math\nc\n```\n', ['', ''])
  expect(segments).toEqual([
    { kind: 'added', text: `So\n\n${asDrawn('$$\na\n+ b\n$$')}\n\n${asDrawn('$$c$$')}\n` },
  ])
})

it('draws nothing in code', () => {
  const code = 'By `$x^2$`:\n\n```\n$x^2$\n```\n\n~~~ sh\n$x^2$'
  expect(drawnChange('', code, ['', '']).segments).toEqual([{ kind: 'added', text: code }])
  expect(drawnChange('', `${code}\n~~~\n$x^2$`, ['', '']).segments[0]!.text.endsWith(square)).toBe(true)
})

it('is quick, whatever signs there are', () => {
  for (const hostile of ['$$\n', '```\n', '$x', '`', '~~~ math\n', '$`'])
    expect(drawnChange('', hostile.repeat(5_000), ['', '']).segments).toHaveLength(1)
})

it('reads what stands around words in a table’s row cell by cell', () => {
  for (const [context, read] of [
    [
      ['| South | **Beans**   | ', '    |'],
      ['South · Beans · ', ''],
    ],
    [
      ['| ', ' sorts | Beans | 25 |'],
      ['', ' sorts · Beans · 25'],
    ],
    [
      ['where |', '| is its norm'],
      ['where |', '| is its norm'],
    ],
  ] as const)
    expect(drawnAround(context)).toEqual(read)
})
