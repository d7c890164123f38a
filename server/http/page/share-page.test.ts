import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRenderer } from '../../markdown/index.ts'
import { parsed } from './testing/parsed-page.ts'
import { sharePage, type SharePageView } from './share-page.ts'

const view = (changes: Partial<SharePageView> = {}): SharePageView => ({
  documentId: '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90',
  token: '5d41402abc4b2a76b9719d911017c592',
  access: 'comment',
  title: 'On proofs',
  html: '<div class="b" data-b="0"><p>A galley is the draft that goes out.</p></div>\n',
  headings: [],
  excerpt: 'A galley is the draft that goes out.',
  language: 'en',
  words: 8,
  revision: 3,
  updatedAt: '2026-03-01T09:30:00.000Z',
  ownerName: 'Owner',
  assets: {
    script: 'assets/viewer-1.js',
    styles: ['assets/viewer-2.css'],
    preload: ['assets/part-3.js'],
    later: [],
  },
  ...changes,
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"><script>alert(1)</script>',
    "' onload='alert(1)",
    '</title><img src=x onerror=alert(1)>',
    '<!--',
    '&lt;b&gt;&amp;',
    '${alert(1)}`',
    '\u0000\u2028\uD800',
  ),
)

describe('the share page', () => {
  test('holds the text, its title and its description', () => {
    const page = parsed(sharePage(view()))
    expect(page.errors).toEqual([])
    expect(page.text).toContain('A galley is the draft that goes out.')
    const meta = Object.fromEntries(
      page
        .named('meta')
        .map((one) => [
          page.attribute(one, 'name') ?? page.attribute(one, 'property'),
          page.attribute(one, 'content'),
        ]),
    )
    expect(meta).toMatchObject({
      description: 'A galley is the draft that goes out.',
      robots: 'noindex, nofollow, noarchive',
      referrer: 'no-referrer',
      'og:title': 'On proofs',
      'og:description': 'A galley is the draft that goes out.',
    })
    expect(page.named('html').map((one) => page.attribute(one, 'lang'))).toEqual(['en'])
  })

  test('tells its script what it needs and nothing more', () => {
    const page = parsed(sharePage(view({ styleNonce: 'bm9uY2U=' })))
    const body = page.named('body')[0]!
    expect(Object.fromEntries(body.attrs.map(({ name, value }) => [name, value]))).toEqual({
      class: 'share',
      'data-document': '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90',
      'data-token': '5d41402abc4b2a76b9719d911017c592',
      'data-permission': 'comment',
      'data-revision': '3',
      'data-style-nonce': 'bm9uY2U=',
    })
    expect(sharePage(view())).not.toContain('nonce')
  })

  test('shows nothing of a view that it doesn’t know', () => {
    const extra = { ...view(), content: 'SECRET-SOURCE', ownerId: 'SECRET-ID', label: 'SECRET-LABEL' }
    expect(sharePage(extra)).not.toContain('SECRET')
  })

  test('has no inline script or style, and asks for nothing but its own files, by relative addresses', () => {
    const page = parsed(sharePage(view({ access: 'edit', styleNonce: 'x' })))
    expect(page.named('style')).toEqual([])
    expect(page.named('script').map((one) => [page.attribute(one, 'src'), one.childNodes.length])).toEqual([
      ['assets/viewer-1.js', 0],
    ])
    for (const element of page.elements) {
      for (const { name, value } of element.attrs) {
        expect(name).not.toMatch(/^on|^style$/)
        if (!/^(src|href|action|srcset|poster)$/.test(name)) continue
        expect(value).toMatch(/^(assets\/|\.\.\/api\/|#|data:image\/svg)/)
      }
    }
  })

  test('names what an editor takes, to be kept for when nobody can be asked, to all who may write', () => {
    const assets = { ...view().assets, later: ['assets/editor-4.js'] }
    const names = (access: SharePageView['access']) =>
      sharePage(view({ access, assets })).includes('data-later="assets/editor-4.js"')
    expect((['view', 'comment', 'suggest', 'edit'] as const).filter(names)).toEqual(['suggest', 'edit'])
  })

  test('keeps whatever a title or a name holds as text', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (title, ownerName, excerpt, heading) => {
        const headings = [1, 2, 3].map((level) => ({ level, text: `x${heading}`, id: 'user-content-x' }))
        const page = parsed(sharePage(view({ title, ownerName, excerpt, headings })))
        expect(page.named('script')).toHaveLength(1)
        expect(page.named('img')).toHaveLength(0)
        expect(
          page.elements.flatMap((element) => element.attrs).filter(({ name }) => /^on/.test(name)),
        ).toEqual([])
        const shown = title.toWellFormed().replaceAll('\0', '\uFFFD')
        if (shown.trim())
          expect(page.attribute(page.named('article')[0], 'aria-label')).toBe(normal(shown.trim()))
      }),
    )
  })

  test('is well formed around rendered markdown', async () => {
    const paragraphs = Array.from({ length: 200 }, (_, i) => `Paragraph ${i}[^1] with *words*.`).join('\n\n')
    const source = `# One\n\n## Two\n\n### Three\n\n${paragraphs}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n[^1]: A note.`
    const renderer = createRenderer()
    const rendered = await renderer.render(source)
    await renderer.close()
    const page = parsed(sharePage(view({ html: rendered.html, headings: rendered.headings })))
    expect(page.errors).toEqual([])
    const parts = page.named('section').filter((one) => page.attribute(one, 'class') === 'part')
    expect(parts.length).toBe(Math.ceil(205 / 20))
    expect(page.named('div').filter((one) => page.attribute(one, 'data-b') !== undefined)).toHaveLength(206)
    expect(page.named('section').filter((one) => page.attribute(one, 'class') === 'footnotes')).toHaveLength(
      1,
    )
  })

  test('shows the title above the text, unless the text opens with it', () => {
    const headings = [{ level: 1, text: 'On  proofs', id: 'user-content-on-proofs' }]
    expect(parsed(sharePage(view({ headings }))).named('h1')).toHaveLength(0)
    expect(parsed(sharePage(view({ headings: [{ ...headings[0]!, level: 2 }] }))).named('h1')).toHaveLength(1)
    expect(parsed(sharePage(view({ title: ' ' }))).text).toContain('Untitled')
  })

  test('has an outline only where there is something to find one’s way in', () => {
    const headings = ['a', 'b', 'c'].map((text) => ({ level: 2, text, id: `user-content-${text}` }))
    const page = parsed(sharePage(view({ headings })))
    expect(page.named('a').map((one) => page.attribute(one, 'href'))).toEqual(
      expect.arrayContaining(headings.map(({ id }) => `#${id}`)),
    )
    expect(parsed(sharePage(view({ headings: headings.slice(1) }))).named('nav')).toHaveLength(0)
  })

  test('says to a reader without script what the text alone can’t give', () => {
    expect(sharePage(view({ access: 'view' }))).toContain('Showing comments needs JavaScript')
    expect(sharePage(view({ access: 'comment' }))).toContain('Commenting needs JavaScript')
    expect(sharePage(view({ access: 'suggest' }))).toContain('Commenting and suggesting need JavaScript')
    expect(sharePage(view({ access: 'edit' }))).toContain('editing need JavaScript')
  })

  test('says so when nothing has been written yet', () => {
    expect(parsed(sharePage(view({ html: '', words: 0, excerpt: '' }))).text).toContain(
      'Nothing has been written here yet.',
    )
  })
})

/** As a parser reads an attribute: carriage returns are line feeds. */
const normal = (text: string) => text.replace(/\r\n?/g, '\n')
