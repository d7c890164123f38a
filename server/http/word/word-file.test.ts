import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'
import { unzipped } from '../../testing/unzipped.ts'

let galley: TestGalley
beforeEach(async () => void (galley = await createTestGalley()))
afterEach(() => galley.close())

const text = `# On proofs

A **red** house with [a link](http://a.b/?x&y) & \`code\` by the sea.

- one
- two
  1. deep

> quoted

3. third

| a | b |
| - | -: |
| 1 | 2 |

\`\`\`js
let a
  b
\`\`\`

![A map](files/none.png) and $x^2$, said *once*.
`

async function word(id: string, query = 'format=docx&feedback=true') {
  const answer = await galley.call('GET', `/api/documents/${id}/export?${query}`, { as: galley.as.owner })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toMatch(/wordprocessingml\.document$/)
  expect(answer.headers['content-disposition']).toContain('.docx')
  const files = unzipped(answer.bytes)
  const body = files.get('word/document.xml')!.replace(/^[\s\S]*<w:body>/, '')
  return {
    files,
    body,
    comments: (files.get('word/comments.xml') ?? '').match(/<w:comment .*?<\/w:comment>/gs) ?? [],
  }
}

/** The words of a part of the file, with what is tracked as short signs. */
const short = (xml: string) =>
  xml
    .replace(
      /<w:del w:id="\d+" w:author="([^"]*)".*?<w:delText[^>]*>(.*?)<\/w:delText>.*?<\/w:del>/gs,
      '‹$1: $2›',
    )
    .replace(/<w:ins w:id="\d+" w:author="([^"]*)".*?<w:t [^>]*>(.*?)<\/w:t>.*?<\/w:ins>/gs, '«$1: $2»')
    .replace(/<w:commentRangeStart w:id="(\d+)"\/>/g, '[$1 ')
    .replace(/<w:commentRangeEnd w:id="(\d+)"\/>/g, ' $1]')
    .replace(/<w:br\/>/g, '⏎')
    .replace(/<\/w:p>/g, '¶')
    .replace(/<[^>]*>/g, '')

it('has a text as Word knows it', async () => {
  const { id } = await galley.newDocument({ content: text, title: 'On proofs' })
  const { body, files, comments } = await word(id, 'format=docx')
  expect(short(body)).toBe(
    'On proofs¶A red house with a link &amp; code by the sea.¶one¶two¶deep¶quoted¶third¶a¶b¶1¶2¶¶let a⏎  b¶[A map] and x^2, said once.¶',
  )
  expect(body).toContain('<w:pStyle w:val="Heading1"/>')
  expect(body).toMatch(/<w:b\/><w:bCs\/><\/w:rPr><w:t [^>]*>red</)
  expect(body).toMatch(/<w:i\/><w:iCs\/><\/w:rPr><w:t [^>]*>once</)
  expect(body).toMatch(/<w:hyperlink .*?a link/s)
  expect(files.get('word/_rels/document.xml.rels')).toContain('Target="http://a.b/?x&amp;y"')
  expect(body.match(/<w:ilvl w:val="(\d)"/g)).toEqual([
    '<w:ilvl w:val="0"',
    '<w:ilvl w:val="0"',
    '<w:ilvl w:val="1"',
    '<w:ilvl w:val="0"',
  ])
  expect(files.get('word/numbering.xml')).toContain('<w:start w:val="3"/>')
  expect(body).toMatch(/<w:tblHeader\/>.*<w:jc w:val="right"\/>/s)
  expect(comments).toEqual([])
})

it('has suggestions as tracked changes, and what was said as comments with replies', async () => {
  const { id } = await galley.newDocument({ content: text, title: 'On proofs' })
  const { owner } = galley.as
  const at = (exact: string) => ({ anchor: { exact, start: text.indexOf(exact) } })
  const guest = { token: await galley.newToken(id, 'edit'), guest: 'a'.repeat(32) }
  const suggest = (original_text: string, suggested_text: string, more: object = {}) =>
    galley.call('POST', `/api/documents/${id}/suggestions`, {
      as: guest,
      json: { original_text, suggested_text, author_name: 'Ada <&>', ...more },
    })
  const first = (await suggest('**red**', '**blue**', { note: 'As it is.' })).data as Suggestion
  await galley.call('POST', `/api/documents/${id}/suggestions/${first.id}/replies`, {
    as: owner,
    json: { body: 'Is it?' },
  })
  await suggest('red', 'green')
  await suggest('- two', '- zwei')
  await suggest(' by the sea', '')
  await galley.newComment(id, owner, { body: 'Which?\nAnd why?', ...at('a link') })
  await galley.newComment(id, owner, { body: 'All of it' })
  const { body, files, comments } = await word(id)
  expect(short(body)).toContain(
    'A [0 [1 [2 ‹Ada &lt;&amp;&gt; (guest): red›«Ada &lt;&amp;&gt; (guest): blue» 0] 1] 2] house with [3 a link 3] &amp; code',
  )
  expect(short(body)).toContain('¶‹Ada &lt;&amp;&gt; (guest): two›«Ada &lt;&amp;&gt; (guest): zwei»¶')
  expect(short(body)).toMatch(/code ‹Ada[^›]*: by the sea›\.¶/)
  expect(comments.map((one) => short(one))).toEqual([
    'As it is.¶',
    'Is it?¶',
    'Suggests “green” instead of “red”.¶',
    'Which?¶And why?¶',
    'All of it¶',
  ])
  expect(comments[0]).toMatch(/w:author="Ada &lt;&amp;&gt; \(guest\)" w:date="\d{4}-/)
  expect(files.get('word/commentsExtended.xml')).toMatch(/w15:paraIdParent="00000001"/)
})

it('says behind a name what its author is, so that no guest passes for the owner', async () => {
  const { id } = await galley.newDocument({ content: text })
  const guest = { token: await galley.newToken(id, 'comment'), guest: 'a'.repeat(32) }
  await galley.newComment(id, guest, { body: 'Mine', author_name: 'Owner' })
  await galley.newComment(id, galley.as.owner, { body: 'Own' })
  const { comments } = await word(id)
  const authors = comments.map((one) => /w:author="([^"]*)"/.exec(one)![1])
  expect(authors).toEqual(['Owner (guest)', 'Owner (script)'])
})

it('says of a paragraph that is to be joined what happens, in a comment on the word beside it', async () => {
  const { id } = await galley.newDocument({ content: 'One two.\n\nThree.' })
  const anchor = { exact: '\n\n', start: 8, prefix: 'One two.', suffix: 'Three.' }
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    as: galley.as.owner,
    json: { original_text: '\n\n', suggested_text: ' ', anchor },
  })
  const { body, comments } = await word(id)
  expect(short(body)).toBe('Untitled¶One [0 two. 0]¶Three.¶')
  expect(comments.map((one) => short(one))).toEqual(['Suggests: Join the paragraph with the next.¶'])
})

it('has rows of a table that come and go as tracked rows', async () => {
  const table = '| a | b |\n| - | -: |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n'
  const { id } = await galley.newDocument({ content: `One\n\n${table}` })
  const suggest = (original_text: string, suggested_text: string, before: string) => {
    const start = `One\n\n${table}`.indexOf(before) + before.length
    const [prefix, suffix] = [before, table.slice(start - 5 + original_text.length).slice(0, 20)]
    return galley.call('POST', `/api/documents/${id}/suggestions`, {
      as: galley.as.owner,
      json: { original_text, suggested_text, anchor: { exact: original_text, start, prefix, suffix } },
    })
  }
  for (const [original, suggested, before] of [
    ['', '\n| new | \\| |', '| 1 | 2 |'],
    ['| 3 | 4 |\n', '', '2 |\n'],
    ['| 5 | 6 |', '| 5 | 7 |', '4 |\n'],
    ['| 1 | 2 |', '| 1 | 2 |\n| c | d |', '- | -: |\n'],
  ] as const)
    expect((await suggest(original, suggested, before)).status).toBe(201)
  const { body, comments } = await word(id)
  const rows = (body.match(/<w:tr>.*?<\/w:tr>/gs) ?? []).map((row) => {
    const [, tracked] = /<w:trPr>.*?<w:(ins|del) w:id="\d+" w:author=.*?<\/w:trPr>/s.exec(row) ?? []
    return `${tracked ?? ''} ${short(row.replace(/<w:trPr>.*?<\/w:trPr>/s, ''))}`
  })
  expect(rows.map((row) => row.replaceAll(/[^‹«]*(?=: )/g, ''))).toEqual([
    ' a¶b¶',
    ' 1¶2¶',
    'ins «: new»¶«: |»¶',
    'ins «: c»¶«: d»¶',
    'del ‹: 3›¶‹: 4›¶',
    'del ‹: 5›¶‹: 6›¶',
    'ins «: 5»¶«: 7»¶',
  ])
  expect(comments).toEqual([])
})

it('says in a comment what changes within a formula or a picture’s name, which Word has as one', async () => {
  const content =
    'Sum $a + b$ and $c$ done.\n\n$$\nx = 1\n$$\n\n| $p+q$ | y |\n| --- | --- |\n\nA ![alt text](p.png).\n'
  const { id } = await galley.newDocument({ content })
  const suggest = (start: number, original_text: string, suggested_text: string) =>
    galley.call('POST', `/api/documents/${id}/suggestions`, {
      as: galley.as.owner,
      json: { original_text, suggested_text, anchor: { exact: original_text, start } },
    })
  const change = (was: string, will: string) => suggest(content.indexOf(was), was, will)
  await change('b', 'd')
  await suggest(content.indexOf(' + b') + 4, '', '+ e')
  await change('$c$', '$f$')
  await suggest(content.indexOf('$c$') + 3, '', ' well')
  await change('1', '2')
  await change('q', 'r')
  await change('text', 'words')
  const { body, comments } = await word(id)
  expect(short(body).replace(/(?<=[‹«])[^›»]*?: /g, '')).toBe(
    'Untitled¶Sum [0 [1 a + b 0] 1] and ‹c›«$f$»« well» done.¶[2 x = 1 2]¶[3 p+q 3]¶y¶¶A [4 alt text 4].¶',
  )
  expect(comments.map((one) => short(one))).toEqual([
    'Suggests “d” instead of “b”.¶',
    'Suggests to put in “+ e”.¶',
    'Suggests “2” instead of “1”.¶',
    'Suggests “r” instead of “q”.¶',
    'Suggests “words” instead of “text”.¶',
  ])
})

it('reads the references in what is put in, on exported pages too, but not in code', async () => {
  const content = 'One &mdash; two `&lt;` three &lt; four.'
  const { id } = await galley.newDocument({ content })
  for (const [original_text, suggested_text, start] of [
    ['&mdash;', '&ndash;', content.indexOf('&mdash;')],
    ['&lt;', '&gt;', content.indexOf('&lt;')],
    ['&lt;', '&#62; `&gt;`', content.lastIndexOf('&lt;')],
  ] as const)
    await galley.call('POST', `/api/documents/${id}/suggestions`, {
      as: galley.as.owner,
      json: { original_text, suggested_text, anchor: { exact: original_text, start } },
    })
  const { body } = await word(id)
  const put = [...body.matchAll(/<w:ins .*?<w:t [^>]*>(.*?)<\/w:t>/gs)].map(([, words]) => words)
  expect(put).toEqual(['–', '&amp;gt;', '&gt; `&amp;gt;`'])
  const as = galley.as.owner
  const page = await galley.call('GET', `/api/documents/${id}/export?format=html&feedback=true`, { as })
  const inserted = [...page.text.matchAll(/<ins class="passage person-\d">(.*?)<\/ins>/g)].map(
    ([, words]) => words,
  )
  expect(inserted).toEqual(['–', '&amp;gt;', '&gt; `&amp;gt;`'])
})

it('says of a task that is ticked what becomes of its line, in a comment on its own words', async () => {
  const { id } = await galley.newDocument({ content: '- [ ] first\n- [ ] second\n' })
  const anchor = { exact: ' ', start: 15, prefix: '- [ ] first\n- [', suffix: '] second\n' }
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    as: galley.as.owner,
    json: { original_text: ' ', suggested_text: 'x', anchor },
  })
  const { body, comments } = await word(id)
  expect(short(body)).toMatch(/first¶.*\[0 second 0\]¶/)
  expect(comments.map((one) => short(one))).toEqual(['Suggests “- [x] second” instead of “- [ ] second”.¶'])
})

it('takes any text, and nothing by a share link', async () => {
  const { id } = await galley.newDocument({
    content: '\0 \u0001<b>x</i>\n\n| |\n|-|\n\n- \n\n1. a\n\n       code\n',
  })
  expect((await word(id)).body).toContain('w:p')
  const empty = await galley.newDocument({ content: '' })
  expect((await word(empty.id)).body).toContain('<w:p')
  const as = { token: await galley.newToken(id, 'edit') }
  expect((await galley.call('GET', `/api/documents/${id}/export?format=docx`, { as })).status).toBe(403)
})

it('doesn’t begin with what has more lines than Word would take', async () => {
  // Too deep to be set, so that all its lines stand there as they are.
  const { id } = await galley.newDocument({ content: `${'> '.repeat(200)}<b>${'\n'.repeat(100_001)}` })
  const as = galley.as.owner
  const answer = await galley.call('GET', `/api/documents/${id}/export?format=docx`, { as })
  expect([answer.status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})
