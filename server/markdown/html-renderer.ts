import { Parser, Renderer, type Token, type Tokens } from 'marked'
import { balance } from './balance.ts'
import { withoutCrowdsInHtml } from './crowded-marks.ts'
import { directionOf, type Direction } from './direction.ts'
import { directionOfTokens } from './token-direction.ts'
import { decodeReference, decodeReferences, reference } from './entities.ts'
import { escapeHtml } from './escape-html.ts'
import type { Footnote, FootnoteReferenceToken } from './footnotes.ts'
import {
  findLinkTarget,
  idPrefix,
  isDataImage,
  linkAttributes,
  pictureWidth,
  storedFile,
} from './link-target.ts'
import { withBreaksInRuns } from './long-runs.ts'
import type { MathsToken } from './maths.ts'
import type { Parts } from './code-and-maths.ts'
import type { Positions } from './positions.ts'
import { sanitise, type RawImage } from './allowed-html.ts'
import { LimitReached, type RenderLimits } from './render-limits.ts'
import type { SourceText } from './source-text.ts'
import type { Trace } from './trace.ts'

/** A note referred to more often than this doesn't link back to each place. */
const maxBackLinks = 20

/** A formula that is wider than its column scrolls on its own, and with the keyboard too. */
const scrolls = ' tabindex="0" role="group" aria-label="Formula"'

/** Tags, and the marks of a trace. */
const notText = /(<[^>]*>|\uFDD0\d+\uFDD1)/

/** How much code in one document is coloured: colouring takes longer than all the rest. */
const maxColoured = 150_000

/** Offsets to follow through rendering, when somebody asks for them. */
export interface Tracing {
  positions: Positions
  trace: Trace
}

/** Writes tokens as safe HTML: what readers wrote is escaped text, or one of the tags written here. */
export class HtmlRenderer extends Renderer {
  readonly #parts: Parts
  readonly #limits: RenderLimits
  readonly #tracing: Tracing | null
  readonly #parser: Parser
  #ids = new Map<object, string>()
  #written = 0
  #coloured = 0
  /** Of a document's tables each has a name of its own, for those who go from one to the next. */
  #tables = 0
  #linkDepth = 0
  #raw = false
  /** Which way the text around goes: only what goes the other way says so. */
  #around: Direction = 'ltr'

  constructor(parts: Parts, limits: RenderLimits, tracing: Tracing | null = null) {
    super()
    this.#parts = parts
    this.#limits = limits
    this.#tracing = tracing
    this.#parser = new Parser({
      gfm: true,
      renderer: this,
      extensions: {
        renderers: {
          maths: (token) => this.#maths(token as MathsToken),
          mathsBlock: (token) => `${this.#maths(token as MathsToken)}\n`,
          footnoteReference: (token) => this.#footnoteReference(token as FootnoteReferenceToken),
          footnote: () => '',
        },
        childTokens: {},
      },
    })
  }

  /** The HTML of one block, well nested whatever raw HTML it holds. */
  block(tokens: Token[], ids: Map<object, string>): string {
    this.#ids = ids
    this.#raw = false
    this.#around = 'ltr'
    const html = this.#parser.parse(tokens)
    const whole = this.#raw ? this.#spend(balance(html, this.#limits.maxDepth)) : html
    return withoutCrowdsInHtml(
      whole,
      notText,
      (words, part) => this.#tracing?.trace.instead(words, part) ?? words,
    )
  }

  /** What a footnote says, with the way back to where the text refers to it. */
  footnote(footnote: Footnote): string {
    const html = this.block(footnote.token.tokens, new Map())
    const back = this.#backLinks(footnote)
    return html.endsWith('</p>\n') ? `${html.slice(0, -5)} ${back}</p>\n` : `${html}${back}\n`
  }

  override heading(token: Tokens.Heading): string {
    const id = this.#ids.get(token)
    return this.#directed(token.tokens, (dir) => {
      const content = this.parser.parseInline(token.tokens)
      return `<h${token.depth}${id ? ` id="${id}"` : ''}${dir}>${content}</h${token.depth}>\n`
    })
  }

  override paragraph({ tokens }: Tokens.Paragraph): string {
    const captioned = this.#captioned(tokens)
    if (captioned) return captioned
    return this.#directed(tokens, (dir) => `<p${dir}>${this.parser.parseInline(tokens)}</p>\n`)
  }

  /** A picture that stands alone with a title has that for its caption. */
  #captioned(tokens: readonly Token[]): string | null {
    const [image, ...more] = tokens.filter(({ type, raw }) => type !== 'text' || raw.trim() !== '')
    if (image?.type !== 'image' || more.length > 0) return null
    const { href, title } = image as Tokens.Image
    const caption = decodeReferences(title ?? '').trim()
    const src = decodeReferences(href)
    if (caption === '' || (storedFile(src) === null && !isDataImage(src))) return null
    const at = this.#tracing?.positions.get(image)
    const dir = directionOf(caption) === 'rtl' ? ' dir="rtl"' : ''
    const words = `${this.#whole(at)}${this.#spend(escapeHtml(caption))}${this.#nothing()}`
    const picture = this.image({ ...(image as Tokens.Image), title: null })
    return `<figure>${picture}<figcaption${dir}>${words}</figcaption></figure>\n`
  }

  override blockquote({ tokens }: Tokens.Blockquote): string {
    return this.#directed(tokens, (dir) => `<blockquote${dir}>\n${this.parser.parse(tokens)}</blockquote>\n`)
  }

  override list(token: Tokens.List): string {
    return this.#directed(token.items, (dir) => {
      const tag = token.ordered ? 'ol' : 'ul'
      const start = token.ordered && token.start !== 1 ? ` start="${token.start}"` : ''
      return `<${tag}${start}${dir}>\n${token.items.map((item) => this.listitem(item)).join('')}</${tag}>\n`
    })
  }

  /** Writes what holds tokens, with the direction that their words give it where that isn’t the one around. */
  #directed(tokens: readonly Token[], write: (dir: string) => string): string {
    const around = this.#around
    const own = directionOfTokens(tokens) ?? around
    this.#around = own
    const html = write(own === around ? '' : ` dir="${own}"`)
    this.#around = around
    return html
  }

  override text(token: Tokens.Text | Tokens.Escape): string {
    if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens)
    const at = this.#tracing?.positions.get(token)
    if (token.type === 'escape') return this.#whole(at) + this.#spend(escapeHtml(token.text))
    return this.#text(token.raw, at)
  }

  override codespan(token: Tokens.Codespan): string {
    const at = this.#tracing?.positions.get(token)
    return `<code>${this.#exactly(at)}${this.#spend(escapeHtml(token.text))}</code>`
  }

  override code(token: Tokens.Code): string {
    const language = /^[^\s,{]+/.exec(token.lang ?? '')?.[0] ?? ''
    if (language === 'math') {
      const maths = this.#parts.maths?.(token.text, true)
      const at = this.#tracing?.positions.get(token)
      if (maths) return `<div class="maths"${scrolls}>${this.#whole(at)}${this.#spend(maths)}</div>\n`
    }
    const code = token.text ? token.text.replace(/\n$/, '') + '\n' : ''
    const coloured = this.#colour(code, decodeReferences(language).toLowerCase())
    const named = language ? ` class="language-${escapeHtml(decodeReferences(language))}"` : ''
    const at = this.#exactly(this.#tracing?.positions.get(token))
    const dir = this.#around === 'rtl' ? ' dir="ltr"' : ''
    return `<pre tabindex="0"${dir}><code${named}>${at}${this.#spend(coloured ?? escapeHtml(code))}</code></pre>\n`
  }

  #colour(code: string, language: string): string | null {
    if (!code || !language || this.#coloured + code.length > maxColoured) return null
    const html = this.#parts.colour?.(code, language) ?? null
    if (html) this.#coloured += code.length
    return html
  }

  override link(token: Tokens.Link): string {
    const target = findLinkTarget(token.autolink ? token.href : decodeReferences(token.href))
    const linked = target && this.#linkDepth === 0
    if (linked) this.#linkDepth++
    const at = this.#tracing?.positions.get(token)
    const content = token.autolink
      ? this.#exactly(at) + this.#spend(withBreaksInRuns(escapeHtml(token.text)))
      : this.parser.parseInline(token.tokens)
    if (!linked) return content
    this.#linkDepth--
    const title = token.title ? ` title="${escapeHtml(decodeReferences(token.title))}"` : ''
    // On paper an address is printed after the words it hides behind, but not after itself.
    const bare = target.host !== null && saysItself(token.text, target.href) ? ' class="bare"' : ''
    return `${this.#spend(`<a${bare}${linkAttributes(target)}${title}>`)}${content}</a>`
  }

  override image(token: Tokens.Image): string {
    return this.#image(
      {
        src: decodeReferences(token.href),
        alt: plainText(token.tokens),
        title: decodeReferences(token.title ?? ''),
        attributes: '',
      },
      this.#tracing?.positions.get(token),
    )
  }

  override html(token: Tokens.HTML | Tokens.Tag): string {
    this.#raw = true
    const at = this.#tracing?.positions.get(token)
    return sanitise(token.raw, {
      text: (raw, from) => this.#text(raw, at?.slice(from, from + raw.length)),
      image: (image, from, length) => this.#image(image, at?.slice(from, from + length)),
    })
  }

  override table(token: Tokens.Table): string {
    // A wide table scrolls on its own, and with the keyboard too.
    const cells = [token.header, ...token.rows].flat().flatMap(({ tokens }) => tokens)
    return this.#directed(
      cells,
      (dir) =>
        `<div class="table" role="region" aria-label="Table ${++this.#tables}" tabindex="0"${dir}>${super.table(token)}</div>\n`,
    )
  }

  override tablecell({ tokens, header, align }: Tokens.TableCell): string {
    const name = header ? 'th' : 'td'
    const aligned = align ? ` align="${align}"` : ''
    const cell = this.#directed(
      tokens,
      (dir) => `<${name}${aligned}${dir}>${this.parser.parseInline(tokens)}</${name}>\n`,
    )
    const said = tokens.filter((token) => token.raw.trim() !== '')
    if (!header || said.length === 0 || said.some(({ type }) => type !== 'maths')) return cell
    // Programs that look for a header's name don't look for it in formulas.
    return cell.replaceAll('<math ', `<math aria-label="${escapeHtml(plainText(said))}" `)
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    const label = checked ? 'Done' : 'To do'
    return `<input type="checkbox" disabled=""${checked ? ' checked=""' : ''} aria-label="${label}"> `
  }

  override listitem(item: Tokens.ListItem): string {
    // Its own words say on which side its mark stands, not those of lists within it.
    const words = item.tokens.filter(({ type }) => type !== 'list')
    return this.#directed(
      words,
      (dir) => `<li${item.task ? ' class="task"' : ''}${dir}>${this.parser.parse(item.tokens)}</li>\n`,
    )
  }

  override br(): string {
    return '<br>\n'
  }

  #maths(token: MathsToken): string {
    const at = this.#tracing?.positions.get(token)
    const maths = this.#parts.maths?.(token.tex, token.display)
    if (!maths)
      return (
        this.#exactly(at) + this.#spend(`<code class="maths-source">${escapeHtml(token.raw.trim())}</code>`)
      )
    const wrapper = token.type === 'mathsBlock' ? 'div' : 'span'
    return `<${wrapper} class="maths"${wrapper === 'div' ? scrolls : ''}>${this.#whole(at)}${this.#spend(maths)}</${wrapper}>`
  }

  #footnoteReference(token: FootnoteReferenceToken): string {
    const { number } = token
    const at = this.#whole(this.#tracing?.positions.get(token))
    if (this.#linkDepth > 0) return this.#spend(`<sup>${at}${number}</sup>`)
    const id = token.occurrence <= maxBackLinks ? ` id="${idPrefix}fnref-${number}-${token.occurrence}"` : ''
    return this.#spend(
      `<sup><a class="footnote-ref" href="#${idPrefix}fn-${number}"${id} role="doc-noteref" ` +
        `aria-label="Footnote ${number}">${at}${number}</a></sup>`,
    )
  }

  #backLinks({ number, references }: Footnote): string {
    const links: string[] = []
    for (let i = 1; i <= Math.min(references, maxBackLinks); i++) {
      links.push(
        `<a class="footnote-back" href="#${idPrefix}fnref-${number}-${i}" role="doc-backlink" ` +
          `aria-label="Back to reference ${number}${i > 1 ? `, ${i}` : ''}">${this.#nothing()}↩</a>`,
      )
    }
    return links.join(' ')
  }

  // The share page asks no other site for anything, so an image elsewhere is a link to it.
  #image(image: RawImage, at: SourceText | undefined): string {
    const { src, alt, title } = image
    const titled = title ? ` title="${escapeHtml(title)}"` : ''
    if (isDataImage(src)) {
      return this.#spend(
        `<img src="${escapeHtml(src.trim())}" alt="${escapeHtml(alt)}"${titled}${image.attributes} loading="lazy" decoding="async">`,
      )
    }
    const stored = storedFile(src)
    // Where it is depends on who gets the page, and is put in then.
    if (stored !== null) {
      const width = pictureWidth(src)
      const sized = width === null ? '' : ` class="width-${width}"`
      return this.#spend(
        `<img src="files/${stored}" alt="${escapeHtml(alt)}"${titled}${sized}${image.attributes} loading="lazy" decoding="async">`,
      )
    }
    const target = src.trim() ? findLinkTarget(src) : null
    const host = target?.host ? ` <span class="img-host">${escapeHtml(target.host)}</span>` : ''
    const content = `${this.#whole(at)}<span class="img-alt">${withBreaksInRuns(escapeHtml(alt || 'Image'))}</span>${host}${this.#nothing()}`
    if (!target || this.#linkDepth > 0) return this.#spend(`<span class="img"${titled}>${content}</span>`)
    return this.#spend(`<a class="img"${linkAttributes(target)}${titled}>${content}</a>`)
  }

  #text(raw: string, at: SourceText | undefined): string {
    if (!raw.includes('&')) return this.#exactly(at) + this.#spend(withBreaksInRuns(escapeHtml(raw)))
    let out = ''
    let last = 0
    for (const match of raw.matchAll(reference)) {
      if (match.index > last)
        out += this.#exactly(at?.slice(last, match.index)) + escapeHtml(raw.slice(last, match.index))
      last = match.index + match[0].length
      const decoded = decodeReference(match[0])
      const origin = at?.slice(match.index, last)
      out += (decoded === match[0] ? this.#exactly(origin) : this.#whole(origin)) + escapeHtml(decoded)
    }
    if (last < raw.length) out += this.#exactly(at?.slice(last)) + escapeHtml(raw.slice(last))
    return this.#spend(withBreaksInRuns(out))
  }

  #exactly(at: SourceText | undefined): string {
    if (!this.#tracing) return ''
    return at ? this.#tracing.trace.exactly(at) : this.#tracing.trace.nothing()
  }

  #whole(at: SourceText | undefined): string {
    if (!this.#tracing) return ''
    return at?.text ? this.#tracing.trace.whole(at) : this.#tracing.trace.nothing()
  }

  #nothing(): string {
    return this.#tracing?.trace.nothing() ?? ''
  }

  #spend(html: string): string {
    this.#written += html.length
    if (this.#written > this.#limits.maxOutput) throw new LimitReached('size')
    return html
  }
}

const scheme = /^https?:\/\//i

function saysItself(text: string, href: string): boolean {
  return text.replace(scheme, '') === href.replace(scheme, '')
}

/** The text of inline tokens as a reader sees it. */
export function plainText(tokens: Token[]): string {
  let text = ''
  for (const token of tokens) {
    if (token.type === 'text' && !('tokens' in token && token.tokens)) text += decodeReferences(token.raw)
    else if (token.type === 'escape' || token.type === 'codespan') text += (token as Tokens.Codespan).text
    else if (token.type === 'maths') text += (token as MathsToken).tex
    else if (token.type === 'br') text += '\n'
    else if ('tokens' in token && token.tokens) text += plainText(token.tokens)
  }
  return text
}
