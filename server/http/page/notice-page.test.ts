import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exportFace, exportPage, previewPage, printPage, type DocumentPageView } from './document-page.ts'
import { textFaces } from './text-face.ts'
import { docsHeaders, plainHeaders, previewHeaders, printHeaders, shareHeaders } from './headers.ts'
import {
  deadLinkPage,
  errorPage,
  headersOfDeadLink,
  noticeHeaders,
  rateLimitedPage,
  unknownAddressPage,
} from './notice-page.ts'
import { parsed } from './testing/parsed-page.ts'

const directives = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    headers['content-security-policy']!.split('; ').map((directive) => {
      const [name, ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )
/** What the policy must name so that the page's own style sheet counts. */
const digestOf = (page: string) => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)![1]!
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

describe('pages about links that don’t open', () => {
  test('are well formed, without script, and styled by the one sheet their policy names', () => {
    for (const html of [deadLinkPage(), errorPage(), rateLimitedPage(12), unknownAddressPage()]) {
      const page = parsed(html)
      expect(page.errors).toEqual([])
      expect(page.named('script')).toEqual([])
      expect(directives(noticeHeaders)['style-src']).toBe(digestOf(html))
      expect(html).not.toMatch(/https?:(?!\/\/www\.w3\.org)/)
    }
  })

  test('a dead link’s page knows nothing of the link, and has one script, which is a file', () => {
    const words = { script: 'assets/words-1.js', styles: [], preload: ['assets/part-2.js'], later: [] }
    const html = deadLinkPage(words)
    expect(html).toBe(deadLinkPage(words))
    const page = parsed(html)
    expect(page.errors).toEqual([])
    expect(page.named('script').map((one) => page.attribute(one, 'src'))).toEqual(['assets/words-1.js'])
    expect(directives(headersOfDeadLink)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': digestOf(html),
      'img-src': 'data:',
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    })
  })

  test('a page that asks to wait says how long, in whole seconds', () => {
    expect(parsed(rateLimitedPage(11.2)).text).toContain('12 seconds')
    expect(parsed(rateLimitedPage(0)).text).toContain('a second')
  })
})

describe('headers', () => {
  test('of the share page let in no inline script or style, and no other site', () => {
    expect(directives(shareHeaders())).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'worker-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'media-src': "'self'",
      'font-src': "'self'",
      'connect-src': "'self'",
      'frame-src': "'self'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    })
    expect(directives(shareHeaders('abc'))['style-src']).toBe("'self' 'nonce-abc'")
    expect(directives(shareHeaders('abc'))['script-src']).toBe("'self'")
  })

  test('say which pages are Galley’s, and until when a link works', () => {
    expect(shareHeaders()['galley-page']).toBe('share')
    expect(shareHeaders()).not.toHaveProperty('galley-until')
    expect(shareHeaders(undefined, '2026-03-01T00:00:00.000Z')['galley-until']).toBe(
      '2026-03-01T00:00:00.000Z',
    )
    expect(headersOfDeadLink['galley-page']).toBe('dead-link')
    // Whoever has too many failures behind them, or meets a fault, has been told nothing about the link.
    expect(noticeHeaders).not.toHaveProperty('galley-page')
  })

  test('of every page keep it out of caches, indexes and referrers', () => {
    for (const headers of [
      shareHeaders(),
      noticeHeaders,
      headersOfDeadLink,
      docsHeaders,
      previewHeaders('x'),
      printHeaders('x'),
      plainHeaders('x'),
    ]) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex, nofollow, noarchive',
      })
      expect(directives(headers)['default-src']).toBe("'none'")
    }
  })

  test('of the reading view put it into a sandbox without scripts that only the app may frame', () => {
    const policy = directives(previewHeaders('p{}'))
    expect(policy.sandbox).toBe('allow-same-origin allow-popups allow-popups-to-escape-sandbox')
    expect(policy['script-src']).toBeUndefined()
    expect(policy['frame-ancestors']).toBe("'self'")
  })

  test('of the page that is printed let the app around it print, and still no script run', () => {
    const policy = directives(printHeaders('p{}'))
    expect(policy.sandbox).toBe('allow-same-origin allow-modals')
    expect(policy['script-src']).toBeUndefined()
    expect(policy['frame-ancestors']).toBe("'self'")
    expect(policy['font-src']).toBe("'self'")
  })
})

describe('a document as a page of its own', () => {
  const view = {
    title: '<script>alert(1)</script>',
    html: '<div class="b" data-b="0"><p>Words.</p></div>',
    headings: [],
    language: null,
    style: 'p { color: red }',
    fonts: {
      style: 'assets/f.css',
      text: textFaces(
        [
          { file: 'assets/serif.woff2', style: 'normal', range: 'U+20-7E' },
          { file: 'assets/serif-italic.woff2', style: 'italic', range: 'U+20-7E' },
          { file: 'assets/greek.woff2', style: 'normal', range: 'U+370-3FF' },
        ],
        (file) => Buffer.from(file),
      ),
      code: ['assets/mono.woff2'],
    },
  }
  const exported = async (shown: DocumentPageView) => exportPage({ ...shown, face: await exportFace(shown) })
  const embedded = (file: string) => `url(data:font/woff2;base64,${Buffer.from(file).toString('base64')})`

  test('holds its style sheet and asks nobody for anything', async () => {
    for (const html of [await exported(view), previewPage(view)]) {
      const page = parsed(html)
      expect(page.errors).toEqual([])
      expect(page.named('script')).toEqual([])
      expect(page.text).toContain('Words.')
    }
    const links = (html: string) => {
      const page = parsed(html)
      return page.named('link').map((one) => page.attribute(one, 'rel'))
    }
    expect(links(await exported(view))).toEqual(['icon'])
    expect(links(previewPage(view))).toEqual(['icon', 'stylesheet'])
    expect(directives(previewHeaders(view.style))['style-src']).toBe(`${digestOf(previewPage(view))} 'self'`)
  })

  test('an exported page holds the parts of its typeface that its words need, and no others', async () => {
    const plain = await exported(view)
    expect(plain).toContain(embedded('assets/serif.woff2'))
    expect(plain).not.toContain(embedded('assets/serif-italic.woff2'))
    expect(plain).not.toContain(embedded('assets/greek.woff2'))
    const rich = await exported({ ...view, html: '<p><em>λόγος</em></p>' })
    expect(rich).toContain(embedded('assets/serif-italic.woff2'))
    expect(rich).toContain(embedded('assets/greek.woff2'))
  })

  test('knows the signs of a text by their whole code points', () => {
    const range = 'U+FFFD, U+1F600-1F64F, U+2B820'
    const { needed } = textFaces([{ file: 'f', style: 'normal', range }], () => new Uint8Array())
    for (const text of ['\uFFFD', 'a😀', '\u{1F64F}b', '\u{2B820}']) expect(needed(text)).toHaveLength(1)
    for (const text of ['', 'abc', '\u{1F650}', '\u{2B81F}', '\uD83D', '\uDE00 \uD83D'])
      expect(needed(text)).toEqual([])
  })

  test('an exported page finds what its typeface needs wherever a long text is cut', async () => {
    const cut = 512 * 1024
    for (let shift = -12; shift <= 4; shift++) {
      const html = `${'x'.repeat(cut + shift)}<em>y</em>${'x'.repeat(cut)}λ`
      const page = await exported({ ...view, html })
      expect(page).toContain(embedded('assets/serif-italic.woff2'))
      expect(page).toContain(embedded('assets/greek.woff2'))
    }
  })

  test('an exported page carries its title and a policy, which go with the file', async () => {
    const page = parsed(await exported(view))
    expect(page.named('h1')).toHaveLength(1)
    const policy = page.named('meta').find((one) => page.attribute(one, 'http-equiv'))
    expect(page.attribute(policy, 'content')).toContain("default-src 'none'")
    expect(parsed(previewPage(view)).named('h1')).toHaveLength(0)
  })

  test('the page that is printed carries its title, and has its typefaces before it is done', () => {
    const html = printPage(view)
    const page = parsed(html)
    expect(page.errors).toEqual([])
    expect(page.named('script')).toEqual([])
    expect(page.named('h1')).toHaveLength(1)
    expect(page.named('link').map((one) => page.attribute(one, 'href'))).toEqual([
      expect.stringContaining('data:'),
      '/share/assets/serif.woff2',
      '/share/assets/f.css',
    ])
    expect(directives(printHeaders(view.style))['style-src']).toBe(`${digestOf(html)} 'self'`)
  })
})
