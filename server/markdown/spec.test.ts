import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { lex } from './lexer.ts'
import { walk } from './footnotes.ts'
import { renderMarkdown } from './render.ts'

interface Example {
  number: number
  section: string
  markdown: string
  html: string
}

const commonmark = (createRequire(import.meta.url)('commonmark-spec') as { tests: Example[] }).tests.map(
  (test) => ({
    ...test,
    markdown: test.markdown.replaceAll('→', '\t'),
    html: test.html.replaceAll('→', '\t'),
  }),
)

const autolink = 'bare addresses are links here, as in GFM with its autolink extension on'
const scheme = 'links lead only to http, https and mailto addresses; the rest is text'

const commonmarkExceptions: Record<number, string> = {
  596: scheme,
  598: scheme,
  599: scheme,
  601: scheme,
  602: autolink,
  608: autolink,
  611: autolink,
  612: autolink,
}
const gfmExceptions: Record<number, string> = {
  604: scheme,
  606: scheme,
  607: scheme,
  609: scheme,
  610: autolink,
  616: autolink,
  619: autolink,
  620: autolink,
  628: scheme,
}

describe('the CommonMark 0.31.2 examples', () => {
  check(commonmark, commonmarkExceptions)
})

describe('the GFM 0.29 examples', () => {
  const gfm = readGfm()
  if (gfm) check(gfm, gfmExceptions)
  else it.skip('are not run: ../shared/corpora/gfm-0.29.json is not here', () => {})
})

function check(examples: Example[], exceptions: Record<number, string>): void {
  it('are all here', () => {
    expect(examples.length).toBeGreaterThan(640)
  })

  it('give the same tree as the spec, but for the listed exceptions', () => {
    const different = examples.filter((example) => !restsOnRawHtml(example) && !sameTree(example))
    const unlisted = different.filter(({ number }) => !(number in exceptions))
    expect(unlisted.map((e) => [e.number, e.markdown, e.html, renderMarkdown(e.markdown).html])).toEqual([])
    const nowSame = Object.keys(exceptions).filter(
      (n) => !different.some(({ number }) => number === Number(n)),
    )
    expect(nowSame).toEqual([])
  })
}

function restsOnRawHtml({ markdown }: Example): boolean {
  let raw = false
  walk(lex(markdown, 100).tokens, (token) => {
    raw ||= token.type === 'html'
  })
  return raw
}

function sameTree({ markdown, html }: Example): boolean {
  return treeOf(renderMarkdown(markdown).html) === treeOf(html)
}

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment
type Element = DefaultTreeAdapterTypes.Element

const blockNames =
  /^(?:address|blockquote|div|dl|h[1-6]|hr|li|ol|p|pre|section|table|tbody|td|th|thead|tr|ul|br)$/

/** The tree of some HTML as one string, without what we add on purpose. */
function treeOf(html: string): string {
  return write(parseFragment(html), false).trim()
}

function write(node: Node, pre: boolean): string {
  if (node.nodeName === '#text') {
    const { value } = node as DefaultTreeAdapterTypes.TextNode
    return pre ? value : value.replace(/\s+/g, ' ')
  }
  const children = () => {
    const inside = pre || node.nodeName === 'pre'
    const parts =
      'childNodes' in node ? node.childNodes.map((child) => ({ child, text: write(child, inside) })) : []
    if (inside) return parts.map(({ text }) => text).join('')
    return parts
      .map(({ child, text }, i) => {
        if (child.nodeName !== '#text') return text
        const left = parts[i - 1]?.child.nodeName
        const right = parts[i + 1]?.child.nodeName
        let kept = text
        if (left ? blockNames.test(left) : blockNames.test(node.nodeName)) kept = kept.trimStart()
        if (right ? blockNames.test(right) : blockNames.test(node.nodeName)) kept = kept.trimEnd()
        return kept
      })
      .join('')
  }
  if (!('attrs' in node)) return children()
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
  const css = attributes.get('class')
  if (css === 'b' || css === 'table') return children()
  if (css === 'img') {
    const alt = textOf(node.childNodes.find((child) => 'attrs' in child) as Element)
    return image(node, attributes.get('href'), alt === 'Image' ? '' : alt, attributes.get('title'))
  }
  if (node.nodeName === 'img') {
    return image(node, attributes.get('src'), attributes.get('alt')!, attributes.get('title'))
  }
  const kept = [...attributes]
    .filter(([name]) => !['rel', 'target', 'id', 'tabindex', 'aria-label', 'role', 'class'].includes(name))
    .map(([name, value]) => ` ${name}="${name === 'href' ? value.replace('#user-content-', '#') : value}"`)
  if (css?.startsWith('language-')) kept.push(` class="${css}"`)
  return `<${node.nodeName}${kept.sort().join('')}>${children()}</${node.nodeName}>`
}

// A placeholder inside a link can't be a link, so there the image's address isn't compared.
function image(node: Element, src: string | undefined, alt: string, title: string | undefined): string {
  let linked = false
  for (let up = node.parentNode; up && 'attrs' in up; up = up.parentNode) linked ||= up.nodeName === 'a'
  return `<img alt="${alt}" title="${title ?? ''}" src="${linked ? '' : (src ?? '')}">`
}

function textOf(node: Element): string {
  return node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
}

function readGfm(): Example[] | null {
  try {
    const path = new URL('../../../shared/corpora/gfm-0.29.json', import.meta.url)
    const examples = JSON.parse(readFileSync(path, 'utf8')) as (Omit<Example, 'number'> & {
      example: number
    })[]
    return examples.map((example) => ({ ...example, number: example.example }))
  } catch {
    return null
  }
}
