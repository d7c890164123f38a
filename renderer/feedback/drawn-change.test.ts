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
  const code = '\n\n```\n$x^2$\n```\n\n~~~ sh\n$x^2$'
  expect(drawnChange('', `By \`$x^2$\`:${code}`, ['', '']).segments).toEqual([
    { kind: 'added', text: 'By ' },
    { kind: 'added', text: '$x^2$', look: 'code' },
    { kind: 'added', text: `:${code}` },
  ])
  expect(drawnChange('', `${code}\n~~~\n$x^2$`, ['', '']).segments[0]!.text.endsWith(square)).toBe(true)
})

it('is quick, whatever signs there are', () => {
  for (const hostile of ['$$\n', '```\n', '$x', '`', '~~~ math\n', '$`'])
    expect(drawnChange('', hostile.repeat(5_000), ['', '']).segments).toHaveLength(1)
})

it('shows words as they will look, and says what becomes of the look of those that stay', () => {
  const segments = (before: string, after: string, context: [string, string] = ['', '']) =>
    drawnChange(before, after, context)
  expect(segments('The quick proof', 'The **slow** proof', ['', ' is'])).toMatchObject({
    segments: [
      { kind: 'same', text: 'The ' },
      { kind: 'removed', text: 'quick' },
      { kind: 'added', text: 'slow', look: 'strong' },
      { kind: 'same', text: ' proof' },
    ],
    formats: [],
  })
  expect(segments('The quick proof reads', 'The slow **proof** ***reads***')).toMatchObject({
    segments: [
      { kind: 'same', text: 'The ' },
      { kind: 'removed', text: 'quick' },
      { kind: 'added', text: 'slow' },
      { kind: 'same', text: ' ' },
      { kind: 'same', text: 'proof', look: 'strong', isFormat: true },
      { kind: 'same', text: ' ' },
      { kind: 'same', text: 'reads', look: 'strong em', isFormat: true },
    ],
    formats: [
      { does: 'Make bold', words: 'proof' },
      { does: 'Make bold and italic', words: 'reads' },
    ],
  })
  expect(segments('a `b` [c](x) and d', 'a b [c](y) or d').formats).toEqual([
    { does: 'Make no longer code', words: 'b' },
    { does: 'Link to y instead of x', words: 'c' },
  ])
  expect(segments('', 'a **new** word').formats).toEqual([])
  expect(segments('see here', 'see [our list](https://a.example)').formats).toEqual([
    { does: 'Link to https://a.example', words: 'our list' },
  ])
})

it('shows signs of lines as what they make', () => {
  expect(drawnChange('', '- [ ] one\n- two\n3. three\n', ['', '']).segments).toEqual([
    { kind: 'added', text: '☐ one\n• two\n3. three\n' },
  ])
  expect(drawnChange('## Old one\n', '# New one\n', ['', ''])).toMatchObject({
    segments: [
      { kind: 'removed', text: 'Old', look: 'heading' },
      { kind: 'added', text: 'New', look: 'heading' },
      { kind: 'same', text: ' one', look: 'heading', isFormat: true },
      { kind: 'same', text: '\n' },
    ],
    formats: [{ does: 'Make a heading of level 1', words: 'one' }],
  })
})

it('shows signs where nothing else would be seen, where their other half stands elsewhere, and in code', () => {
  const told = (before: string, after: string, context: [string, string] = ['', '']) =>
    drawnChange(before, after, context).segments.map(({ text }) => text)
  expect(told('*so* it is', '_so_ it is')).toContain('_so_')
  expect(told('- one', '* one').join('')).toMatch(/-.*\*/)
  expect(told('so\\* it', 'so* it').join('')).toContain('\\')
  // What becomes bold then stands around.
  expect(told('one two', 'three **two', ['', ' four**']).join('')).toContain('**')
  expect(told('', 'a `**b**` and \\*c\\* 2 * 3 * 4')).toEqual(['a ', '**b**', ' and *c* 2 * 3 * 4'])
  expect(told('', 'so* it *was, *a\n\nb*')).toEqual(['so* it *was, *a\n\nb*'])
  expect(told('a_b', 'snake_case_name')).toContain('snake_case_name')
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
