import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: { key: string }
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

describe('exporting', () => {
  it('gives the markdown byte for byte', async () => {
    const content = '\uFEFF# Ünïcödé 😀\r\n\r\nTab\tNUL\0\u2028end'
    const { id } = await galley.newDocument({ title: 'T', content })
    for (const query of ['', '?format=md']) {
      const { bytes, headers } = await galley.call('GET', `/api/documents/${id}/export${query}`, { as })
      expect(bytes.equals(Buffer.from(content))).toBe(true)
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    }
    const view = { token: await galley.newToken(id, 'view') }
    expect((await galley.call('GET', `/api/documents/${id}/export`, { as: view })).bytes.toString()).toBe(
      content,
    )
  })

  it('gives HTML that holds no script, though the text does', async () => {
    const { id } = await galley.newDocument({
      title: '</title><script>1</script>',
      content: '# Hi\n\n<script>2</script>\n\n[a](javascript:3)',
    })
    const { text, headers } = await galley.call('GET', `/api/documents/${id}/export?format=html`, { as })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<h1')
    expect(text).not.toMatch(/<script|href="javascript/i)
  })

  it.each([
    ['a"; filename=evil.exe', /evil\.exe\.md/],
    ['new\r\nSet-Cookie: a=b', /Set-Cookie/],
    ['../../etc/passwd', /passwd\.md/],
    ['CON', /Untitled/],
    ['...', /Untitled/],
    ['', /Untitled/],
    ['Ünïcödé 😀 “title”', /%C3%9C/],
    ['\0\u202e', /\.md/],
    ['x'.repeat(500), /x{100}\.md/],
    ["it's (100%) *fine*", /it%27s/],
  ])('names the file safely after %j', async (title, name) => {
    const { id } = await galley.newDocument({ title })
    const { status, headers } = await galley.call('GET', `/api/documents/${id}/export`, { as })
    expect(status).toBe(200)
    const disposition = String(headers['content-disposition'])
    expect(disposition).toMatch(/^attachment; filename="[\w .-]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/)
    expect(disposition).toMatch(name)
    expect(disposition).not.toMatch(/%2F|%5C|%0D|%0A|%00|%22/i)
    expect(headers['set-cookie']).toBeUndefined()
  })
})

describe('rendering a text', () => {
  it('makes it safe HTML, and keeps nothing of it', async () => {
    const content = 'Read *me*.\n\n<script>1</script>\n\n[a](javascript:2)'
    const { data } = await galley.call('POST', '/api/render', { as, json: { content } })
    expect(data).toEqual({ html: expect.stringContaining('Read <em>me</em>.'), limited: null })
    expect(data.html).not.toMatch(/<script|javascript/i)
    expect((await galley.call('GET', '/api/documents', { as })).data).toEqual([])
  })

  it('says when a text can’t be rendered, and gives it as it was written', async () => {
    const content = '> '.repeat(5_000) + '<b>'
    const { data } = await galley.call('POST', '/api/render', { as, json: { content } })
    expect(data.limited).toBe('depth')
    expect(data.html).toContain('&gt; &lt;b&gt;')
  })
})
