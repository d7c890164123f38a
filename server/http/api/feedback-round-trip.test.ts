import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import { writeCriticMarkup } from '../../domain/critic-markup/write.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => void (galley = await createTestGalley()))
afterEach(() => galley.close())

const block = fc.constantFrom(
  '# Head *one*',
  'Words and [a link](http://a.example) here.\nAnd more.',
  '- one\n- two\n  1. deep\n\n     within',
  '- [ ] to do',
  '> said\n>\n> - more',
  '```js\nlet a = "{++b++}"\n\n  c\n```',
  '| a | b |\n| - | -: |\n| 1 \\| | 2 |',
  '---',
  '$$\nx^2\n$$',
  'A note[^1] and $a + b$.\n\n[^1]: Here.',
  '![words](files/p.png "caption")',
  '<div>\n\nwithin\n\n</div>',
)
const content = fc
  .array(block, { minLength: 1, maxLength: 7 })
  .map((blocks) => blocks.map((one, i) => one.replace(/Words|Head|said/, `$& ${i}`)).join('\n\n') + '\n')
const said = fc.constantFrom('Why?', 'As it is.\n\nTwo lines.', '<<} and {>>')
const comment = said.map((body) => ({ author: 'Ann', kind: 'guest' as const, body }))
const comments = fc
  .tuple(comment, comment)
  .map(([first, second]): [typeof first, typeof first] => [first, second])

/** From a place to another, often of whole lines. */
const rangeIn = (text: string) => {
  const lines = [...text.matchAll(/^|$/gm)].map(({ index }) => index)
  const place = fc.oneof(fc.constantFrom(...lines), fc.nat(text.length))
  return fc.tuple(place, fc.oneof(place, fc.constant(-1))).map(([a, b]) => ({
    start: b < 0 ? a : Math.min(a, b),
    end: b < 0 ? a : Math.max(a, b),
  }))
}

const text = content.chain((words) =>
  fc.record({
    content: fc.constant(words),
    threads: fc
      .array(fc.record({ place: fc.option(rangeIn(words)), comments }), { maxLength: 3 })
      .map((all) =>
        all.filter(
          ({ place }) => !place || (place.end > place.start && words.slice(place.start, place.end).trim()),
        ),
      ),
    edits: fc
      .array(
        fc.record({
          place: rangeIn(words),
          suggested: fc.oneof(
            fc.constantFrom('', 'word', '\n\n', '~> x', ' '),
            block,
            block.map((one) => `${one}\n\n`),
          ),
          comment,
          replies: fc.array(comment, { maxLength: 1 }),
        }),
        { maxLength: 5 },
      )
      .map((all) =>
        all
          .map((one) => ({ ...one, original: words.slice(one.place.start, one.place.end) }))
          .filter(({ original, suggested }) => original !== suggested),
      ),
  }),
)

it('comes back with what was suggested and said of blocks of all kinds where it was', async () => {
  const as = galley.as.owner
  await fc.assert(
    fc.asyncProperty(text, async (one) => {
      const written = writeCriticMarkup(one)
      const made = await galley.call('POST', '/api/documents', {
        as,
        json: { content: written, feedback: true },
      })
      expect(made.status).toBe(201)
      const { id, content: stored } = made.data as Document
      expect(stored).toBe(one.content)
      const again = await galley.call('GET', `/api/documents/${id}/export?feedback=true`, { as })
      expect(again.text).toBe(written)
    }),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 60) },
  )
})
