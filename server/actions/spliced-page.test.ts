import { afterAll, expect, it } from 'vitest'
import { createRenderer } from '../markdown/index.ts'
import { splicedPage } from './spliced-page.ts'
import { shownParagraphs } from './shown-paragraphs.ts'

const markdown = createRenderer({ timeoutMs: 30_000 })
afterAll(() => markdown.close())
const turn = { document: '', member: '', guest: false }

/** Paragraphs with what goes in ‹› and what comes in «», and their ends. */
async function shown(content: string, ...edits: [string, string, number?][]): Promise<string | null> {
  const { html } = await markdown.render(content)
  const page = await splicedPage(
    markdown,
    {
      content,
      edits: edits.map(([original, suggested, at]) => {
        const start = at ?? content.indexOf(original)
        const place = { start, end: start + original.length }
        return { place, original, suggested, comment: { author: 'Ann', body: '' }, replies: [] }
      }),
    },
    html,
    turn,
  )
  if (!page) return null
  const signs = { goes: '‹›', comes: '«»' }
  return shownParagraphs(page.html, [...page.spans.values()].flat())
    .map(({ pieces, end }) => {
      const words = pieces.map(({ text, span }) =>
        span ? signs[span.does][0] + text.trim() + signs[span.does][1] : text,
      )
      return words.join('') + (end ? (end.does === 'goes' ? '-¶' : '+¶') : '¶')
    })
    .join('')
}

const text =
  '# Head\n\nOne two\nthree.\n\n- a\n- b\n\n> q\n\n```js\nx\ny\n```\n\n| k | l |\n| - | - |\n| m | n |\n\n---\n\nEnd.'

const code = text.indexOf('x\ny')

it.each([
  ['before a heading', [['', 'A new *one*.\n\n', 0]], '«A new one.»+¶Head¶'],
  ['behind it', [['', '\n\nNew.', 6]], 'Head¶«New.»+¶One'],
  ['an item, and one in it', [['', '\n- new\n  - deep', text.indexOf('- b') - 1]], 'a¶«new»+¶«deep»+¶b¶'],
  ['the last item', [['', '\n- new', text.indexOf('- b') + 3]], 'b¶«new»+¶q¶'],
  ['a line of a quote', [['', '\n>\n> more', text.indexOf('> q') + 3]], 'q¶«more»+¶x'],
  ['code', [['', '\n\n```js\nz\n```', text.indexOf('> q') + 3]], 'q¶«z»+¶x\ny¶'],
  ['the first line of code', [['', 'z\n', code]], '«z»x\ny¶'],
  ['the last line of code', [['', 'z\n', code + 4]], 'x\ny«z»¶'],
  ['other lines of code', [['y', 'v\nw']], 'x‹y›«v\nw»¶'],
  ['a row', [['', '| o | p |\n', text.indexOf('| m')]], 'k¶l¶«o»¶«p»¶m¶n¶'],
  ['another row', [['| m | n |', '| m | p |']], '‹m›¶‹n›¶«m»¶«p»¶'],
  ['a table', [['', '\n\n| o | p |\n| - | - |\n| 1 | 2 |', 6]], 'Head¶«o»¶«p»¶«1»¶«2»¶One'],
  ['a rule', [['', '\n\n---', 6]], 'Head¶«―»+¶One'],
  ['behind a rule', [['', 'After.\n\n', text.indexOf('End')]], '―¶«After.»+¶End.¶'],
  ['at the end', [['', '\n\nLast.', text.length]], 'End.¶«Last.»+¶'],
  ['two for one', [['End.', 'This.\n\nThat.']], '‹End.›«This.»+¶«That.»¶'],
  ['one for two', [['One two\nthree.\n\n- a', 'Once.']], '‹One two three.›-¶‹a›-¶«Once.»+¶b¶'],
  ['amid a paragraph', [['two', 'x\n\nNew\n\ny']], '‹One two›«One x»+¶«New»+¶«y»three.¶'],
  ['an item that goes', [['- a\n', '']], '‹a›-¶b¶'],
  ['what is last and goes', [['\n\nEnd.', '']], '―¶‹End.›-¶'],
  ['a rule that goes', [['\n\n---', '']], 'n¶‹―›-¶End.¶'],
  ['a formula for a paragraph', [['End.', '$$\nx\n$$\n']], '‹End.›«xx»¶'],
  ['another heading', [['# Head', '## Heads']], '‹Head›-¶«Heads»+¶One'],
] as [string, [string, string, number?][], string][])(
  'tells lines that come and go: %s',
  async (_, edits, expected) => expect(await shown(text, ...edits)).toContain(expected),
)

it('leaves out what would make something else of the lines around it, and that alone', async () => {
  expect(await shown(text, ['', '\n\n```\nx', 6], ['End.', 'a\n\nb'])).toMatch(
    /^Head¶One.*‹End.›«a»\+¶«b»¶$/s,
  )
  expect(await shown(text, ['', '\n\n```\nx', 6])).toBeNull()
})
