import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'
import { unzipped } from '../../testing/unzipped.ts'

let galley: TestGalley
beforeEach(async () => void (galley = await createTestGalley()))
afterEach(() => galley.close())

const text =
  '# Head\n\nOne two[^1].\n\n- a\n  1. deep\n- b\n\n> said\n\n```js\nx\ny\n```\n\n' +
  '| k | l |\n| - | - |\n| m | n |\n\nGone.\n\nEnd.\n\n[^1]: The note.\n'

async function body(id: string, query = ''): Promise<string> {
  const answer = await galley.call('GET', `/api/documents/${id}/export?format=docx${query}`, {
    as: galley.as.owner,
  })
  expect(answer.status).toBe(200)
  return unzipped(answer.bytes)
    .get('word/document.xml')!
    .replace(/^[\s\S]*<w:body>/, '')
}

/** Paragraphs with their styles, as they are once all is rejected (`ins` goes) or accepted (`del` goes). */
function without(xml: string, goes: 'ins' | 'del'): string[] {
  const rows = xml.replace(/<w:tr>.*?<\/w:tr>/gs, (row) =>
    new RegExp(`<w:trPr>(?:(?!</w:trPr>).)*<w:${goes} `, 's').test(row) ? '' : row,
  )
  const left: string[] = []
  let words = ''
  for (const [paragraph] of rows.matchAll(/<w:p>.*?<\/w:p>/gs)) {
    const [properties = ''] = /<w:pPr>.*?<\/w:pPr>/s.exec(paragraph) ?? []
    words += paragraph
      .replace(properties, '')
      .replace(new RegExp(`<w:${goes} [^>]*>.*?</w:${goes}>`, 'gs'), '')
      .replaceAll('<w:br/>', '⏎')
      .replace(/<[^>]*>/g, '')
    if (properties.includes(`<w:${goes} `)) continue
    const style = /<w:pStyle w:val="(\w+)"/.exec(properties)?.[1] ?? ''
    const level = /<w:ilvl w:val="(\d)"/.exec(properties)?.[1] ?? ''
    if (words.trim() !== '') left.push(`${style}${level}: ${words}`)
    words = ''
  }
  expect(words.trim()).toBe('')
  return left
}

it('has lines that come and go as paragraphs of their own, which accepted and rejected leave the text exactly', async () => {
  const edits: [string, string, string][] = [
    ['', '', 'First of *all*.\n\n'],
    ['# Head\n\nOne two[^1].', '', '\n\n## Below\n\n---\n\n![A map](files/none.png)\n\n$x^2$ it is.'],
    ['- a\n  1. deep\n', '', '- **new** item\n  1. under it\n- [ ] a *task*\n'],
    ['> said', '', '\n>\n> and more'],
    ['```js\nx\n', 'y\n', 'v\nw\n'],
    ['| m | n |', '', '\n| o \\| | p |'],
    ['| m | n |\n\n', 'Gone.\n\n', ''],
    ['\n\n', 'End.', '| q | r |\n| - | - |\n| s | t |\n\nLast.'],
  ]
  const { id } = await galley.newDocument({ content: text })
  let accepted = text
  for (const [before, original_text, suggested_text] of edits) {
    const start = original_text
      ? text.indexOf(before + original_text) + before.length
      : text.indexOf(before) + before.length
    const at = before.endsWith('\n\n') && original_text === 'End.' ? text.indexOf('End.') : start
    const anchor = {
      ...{ exact: original_text, start: at, prefix: text.slice(Math.max(0, at - 32), at) },
      suffix: text.slice(at + original_text.length, at + original_text.length + 32),
    }
    const { status } = await galley.call('POST', `/api/documents/${id}/suggestions`, {
      as: galley.as.owner,
      json: { original_text, suggested_text, anchor },
    })
    expect(status).toBe(201)
    const tail = text.length - at
    const from = accepted.length - tail
    accepted = accepted.slice(0, from) + suggested_text + accepted.slice(from + original_text.length)
  }
  const comments = ['two', 'deep', 'said', 'n', 'The note']
  for (const exact of comments)
    await galley.newComment(id, galley.as.owner, {
      body: `On ${exact}`,
      anchor: { exact, start: exact === 'n' ? text.indexOf('n |') : text.indexOf(exact) },
    })
  const xml = await body(id, '&feedback=true')
  expect(without(xml, 'ins')).toEqual(without(await body(id), 'ins'))
  const other = await galley.newDocument({ content: accepted, title: 'Untitled' })
  expect(without(xml, 'del')).toEqual(without(await body(other.id), 'del'))
  expect(xml.match(/<w:pPr>(?:(?!<\/w:pPr>).)*<w:ins /gs)!.length).toBeGreaterThan(8)
  // Each comment stands on its words, and ends once.
  const ranges = [
    ...xml.matchAll(/<w:commentRangeStart w:id="(\d+)"\/>(.*?)<w:commentRangeEnd w:id="\1"\/>/gs),
  ]
  expect(ranges.map(([, , words]) => words!.replace(/<[^>]*>/g, ''))).toEqual(comments)
  expect(xml.match(/<w:commentRangeEnd /g)).toHaveLength(comments.length)
  expect(xml.match(/<w:commentReference /g)).toHaveLength(comments.length)
})
