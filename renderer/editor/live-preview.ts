import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Range, type SelectionRange } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common'
import { boundedDrawing } from './bounded-drawing.ts'
import { countedNumber } from './counted-numbers.ts'
import { emphasesToBe, nodeOf } from './emphasis.ts'
import { Bullet, Checkbox, CountedNumber, HorizontalRule } from './preview-widgets.ts'
import { attachments, filesKnown } from './files/attachments.ts'
import { storedName } from './files/stored-name.ts'
import { pictureText } from './files/picture-text.ts'
import { StoredPicture } from './files/stored-picture.ts'
import { pressed } from './pressed.ts'
import { ImageWidget, shownImages } from './remote-images.ts'
import { changingSign, suggestedPlaces, type SuggestedPlace } from './suggested-places.ts'

/** Above this length the text is shown plain, so that typing stays quick. */
const livePreviewLimit = 3_000_000

/** Where the writer is; marks there are shown as typed. */
export interface Touch {
  range: (from: number, to: number) => boolean
  line: (at: number) => boolean
}

const hide = Decoration.replace({})
const bullet = Decoration.replace({ widget: new Bullet() })
const rule = Decoration.replace({ widget: new HorizontalRule() })
const boxes = [new Checkbox(false), new Checkbox(true)].map((widget) => Decoration.replace({ widget }))
const mark = (name: string) => Decoration.mark({ class: name })
const line = (name: string) => Decoration.line({ class: name })
const inline: Record<string, Decoration> = {
  StrongEmphasis: mark('md-strong'),
  Emphasis: mark('md-emphasis'),
  Strikethrough: mark('md-strike'),
  InlineCode: mark('md-code'),
  Autolink: mark('md-link'),
  HTMLTag: mark('md-html'),
  LinkReference: mark('md-reference'),
}
const lines: Record<string, Decoration> = {
  FencedCode: line('md-codeblock'),
  CodeBlock: line('md-codeblock'),
  Table: line('md-table'),
  HTMLBlock: line('md-htmlblock'),
  CommentBlock: line('md-htmlblock'),
  FrontMatter: line('md-front'),
}
const headingLines = [1, 2, 3, 4, 5, 6].map((level) => line(`md-heading md-h${level}`))
const fenceLine = line('md-fence')
const blockFirst = line('md-first')
const blockLast = line('md-last')
const faint = mark('md-faint')
const done = line('md-done')
const number = mark('md-number')

// Only a decoration of a whole line may cover nothing.
const isLine = (decoration: Decoration) => (decoration.spec as { class?: string }).class !== undefined

/**
 * What the markdown between two places looks like: which classes its lines and words get, and which marks give way to
 * what they mean. The text itself is never changed.
 */
export function previewDecorations(
  state: EditorState,
  from: number,
  to: number,
  touch: Touch,
): Range<Decoration>[] {
  const places = state.facet(suggestedPlaces).flatMap((between) => between(from, to))
  const preview = new Preview(state, from, to, touch, places)
  syntaxTree(state).iterate({ from, to, enter: (node) => preview.enter(node) })
  preview.setIn()
  return preview.decorations
}

/** The look of a stretch of markdown, as its syntax is gone through. */
class Preview {
  readonly decorations: Range<Decoration>[] = []
  readonly #state: EditorState
  readonly #from: number
  readonly #to: number
  readonly #touch: Touch
  readonly #suggested: readonly SuggestedPlace[]
  /** By where a line begins: how many items it stands in, and how many quotes. */
  readonly #listDepth = new Map<number, number>()
  readonly #quoteDepth = new Map<number, number>()
  /** The lines whose first mark hangs out to the left of their words. */
  readonly #hanging = new Set<number>()
  /** How many items the quote of a line stands in. */
  readonly #itemsAroundQuote = new Map<number, number>()

  constructor(
    state: EditorState,
    from: number,
    to: number,
    touch: Touch,
    suggested: readonly SuggestedPlace[],
  ) {
    this.#state = state
    this.#from = from
    this.#to = to
    this.#touch = touch
    this.#suggested = suggested
  }

  /** Draws a node; false where what is in it isn’t drawn. */
  enter(ref: SyntaxNodeRef): false | undefined {
    const { name, from, to } = ref
    const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)
    if (heading) this.#eachLine(ref, (at) => this.#add(headingLines[Number(heading[1]) - 1]!, at))
    else if (inline[name]) this.#add(inline[name], from, to)
    else if (lines[name]) this.#block(lines[name], ref)
    drawn[name]?.(this, ref.node)
    return name === 'Image' ? false : undefined
  }

  /** Sets in what stands in items and quotes, once all of them were gone through. */
  setIn(): void {
    for (const [at, depth] of this.#listDepth) {
      this.#push(
        Decoration.line({
          class: this.#hanging.has(at) ? 'md-item md-hang' : 'md-item',
          attributes: { style: `--depth:${depth}` },
        }),
        at,
      )
      this.#hideSpaces(at)
    }
    for (const [at, depth] of this.#quoteDepth) {
      const around = this.#itemsAroundQuote.get(at) ?? 0
      const style = `--quotes:${depth}${around > 0 ? `;--around:${around}` : ''}`
      this.#push(Decoration.line({ class: 'md-quote', attributes: { style } }), at)
    }
  }

  listItem(node: SyntaxNode): void {
    const sign = node.getChild('ListMark')
    // Behind the sign that is taken out stands the new one, of the same level.
    if (sign && this.#changing(sign.from, this.#withSpace(sign.to)).some(({ isGone }) => isGone)) return
    const first = this.#doc.lineAt(node.from).from
    this.#eachLine(node, (at) => {
      const depth = (this.#listDepth.get(at) ?? 0) + 1
      this.#listDepth.set(at, depth)
      if (at === first) this.#hanging.add(at)
    })
  }

  quote(node: SyntaxNode): void {
    this.#eachLine(node, (at) => {
      this.#quoteDepth.set(at, (this.#quoteDepth.get(at) ?? 0) + 1)
      if (!this.#itemsAroundQuote.has(at)) this.#itemsAroundQuote.set(at, this.#listDepth.get(at) ?? 0)
    })
  }

  link(node: SyntaxNode): void {
    const [open, close, third] = node.getChildren('LinkMark')
    const url = this.#childText(node, 'URL')
    // `[words]` alone is only a link if it is defined somewhere; it stays as typed.
    if (!third && !node.getChild('LinkLabel')) return
    if (!open || !close || close.from <= open.to) return
    const attributes = url ? { 'data-href': url, title: url } : {}
    this.#push(Decoration.mark({ class: 'md-link', attributes }), open.to, close.from)
    const touched = this.#touch.range(node.from, node.to) || this.#doc.lineAt(close.from).to < node.to
    for (const [from, to] of [
      [open.from, open.to],
      [close.from, node.to],
    ] as const)
      this.#hideUnless(touched || this.#isSuggested(from, to), from, to)
  }

  image(node: SyntaxNode): void {
    const [open, close] = node.getChildren('LinkMark')
    if (!open || !close || this.#doc.lineAt(node.from).to < node.to) return
    const src = this.#childText(node, 'URL').replace(/^<|>$/g, '')
    const picture = pictureText(this.#state, node)
    if (src === '' || !picture) return
    const line = this.#doc
      .lineAt(node.from)
      .text.replace(/^[\s>]*/, '')
      .trim()
    const isAlone = line.length === node.to - node.from
    const words = isAlone ? picture : { ...picture, caption: '' }
    // At either end of it the cursor is beside the picture, not in it.
    if (this.#touch.range(node.from + 1, node.to - 1)) return this.#add(faint, node.from, node.to)
    const isShown = this.#state.field(shownImages, false)?.has(src) ?? false
    const name = storedName(src)
    const beside = this.#state.facet(attachments)
    const widget =
      name !== null && beside
        ? new StoredPicture(beside.urlOf(name), words, name, beside.find(name))
        : new ImageWidget(src, words, isShown)
    this.#push(Decoration.replace({ widget }), node.from, node.to)
    this.#strikePicture(node)
  }

  /** What strikes words isn’t around a picture in their place that is as long, so that this would be left as it is. */
  #strikePicture({ from, to }: SyntaxNode): void {
    const { struck } = this.#suggested.find((one) => one.struck && one.from === from && one.to >= to) ?? {}
    if (!struck) return
    const around = Decoration.mark({ ...struck, inclusiveStart: true })
    // Behind the picture, yet before what is put in behind that, which isn’t around it.
    around.endSide = -2e8
    this.#push(around, from, to)
  }

  listMark(node: SyntaxNode): void {
    const end = this.#withSpace(node.to)
    const task = node.nextSibling?.name === 'Task' ? node.nextSibling.firstChild : null
    // At either end of it the cursor is beside the mark, not in it.
    const last = task?.name === 'TaskMarker' ? task.to : end
    const touched = this.#touch.range(node.from + 1, last - 1)
    // What changes of a sign is seen only in the sign itself.
    if (this.#changing(node.from, last === end ? end : this.#withSpace(last)).length > 0) return
    if (task?.name === 'TaskMarker') {
      const ticked = this.#doc.sliceString(task.from + 1, task.from + 2) !== ' '
      if (ticked) this.#add(done, this.#doc.lineAt(task.from).from)
      if (touched) return this.#add(faint, node.from, task.to)
      this.#push(hide, node.from, end)
      this.#push(boxes[ticked ? 1 : 0]!, task.from, this.#withSpace(task.to))
    } else if (/[-*+]/.test(this.#doc.sliceString(node.from, node.from + 1))) {
      this.#push(touched ? mark('md-bullet md-faint') : bullet, node.from, end)
    } else {
      const counted = touched ? null : this.#counted(node.from, end)
      this.#push(counted ? Decoration.replace({ widget: counted }) : number, node.from, end)
    }
  }

  /** The number that an item has for readers, where another is written. */
  #counted(from: number, to: number): CountedNumber | null {
    const counted = countedNumber(this.#state, from)
    const [written = '', behind = ''] = this.#doc.sliceString(from, to).split(/(?<=\d)(?!\d)/)
    return counted === undefined || counted === Number(written)
      ? null
      : new CountedNumber(`${counted}${behind}`)
  }

  headerMark({ from, to, parent }: SyntaxNode): void {
    if (parent?.name.startsWith('Setext')) return this.#add(faint, from, to)
    const before = this.#doc.sliceString(from - 1, from)
    const opens = this.#doc.lineAt(from).from === from || this.#doc.sliceString(to, to + 1) === ' '
    const start = opens || before !== ' ' ? from : from - 1
    const end = this.#withSpace(to)
    if (this.#changing(start, end).length === 0) this.#hideUnless(this.#touch.line(from), start, end)
  }

  /** A mark that is hidden unless the writer is at what it marks. */
  inlineMark({ from, to, parent }: SyntaxNode): void {
    if (!parent) return
    if (parent.name === 'FencedCode') this.#add(fenceLine, this.#doc.lineAt(from).from)
    else this.#hideUnless(this.#touch.range(parent.from, parent.to) || this.#isSuggested(from, to), from, to)
  }

  linkMark(node: SyntaxNode): void {
    if (node.parent?.name === 'Autolink') this.inlineMark(node)
  }

  url({ from, to, parent }: SyntaxNode): void {
    if (parent?.name === 'Link' || parent?.name === 'LinkReference') return
    const url = this.#state.sliceDoc(from, to)
    const href =
      url.includes('@') && !url.includes(':') ? `mailto:${url}` : url.replace(/^(?=www\.)/i, 'http://')
    this.#push(Decoration.mark({ class: 'md-link', attributes: { 'data-href': href } }), from, to)
  }

  escape({ from, to }: SyntaxNode): void {
    this.#hideUnless(this.#touch.range(from, to), from, from + 1)
  }

  quoteMark({ from, to }: SyntaxNode): void {
    const end = this.#withSpace(to)
    if (this.#changing(from, end).length === 0) this.#hideUnless(this.#touch.line(from), from, end)
  }

  rule({ from, to }: SyntaxNode): void {
    this.#push(this.#touch.line(from) ? faint : rule, from, to)
  }

  tableDelimiter({ from, to }: SyntaxNode): void {
    this.#add(faint, from, to)
  }

  get #doc() {
    return this.#state.doc
  }

  /** The suggestions that change the sign there. */
  #changing(from: number, to: number): SuggestedPlace[] {
    if (this.#suggested.length === 0) return []
    return changingSign(this.#suggested, { from, to }, this.#doc.lineAt(from).from)
  }

  /** Whether a mark is suggested, or is to go, and no words with it: nothing but the mark tells of that. */
  #isSuggested(from: number, to: number): boolean {
    return this.#suggested.some((one) => one.from < one.to && one.from >= from && one.to <= to)
  }

  #push(decoration: Decoration, from: number, to = from): void {
    this.decorations.push(decoration.range(from, to))
  }

  #add(decoration: Decoration, from: number, to = from): void {
    if (to > from || isLine(decoration)) this.#push(decoration, from, to)
  }

  #hideUnless(touched: boolean, from: number, to: number): void {
    if (to > from) this.#push(touched ? faint : hide, from, to)
  }

  #block(decoration: Decoration, node: SyntaxNodeRef): void {
    this.#eachLine(node, (at) => this.#add(decoration, at))
    this.#add(blockFirst, this.#doc.lineAt(node.from).from)
    this.#add(blockLast, this.#doc.lineAt(node.to).from)
  }

  #eachLine({ from, to }: { from: number; to: number }, draw: (at: number) => void): void {
    const { lines: count } = this.#doc
    for (let at = this.#doc.lineAt(Math.max(this.#from, from)); at.from <= Math.min(this.#to, to);) {
      draw(at.from)
      if (at.number >= count) break
      at = this.#doc.line(at.number + 1)
    }
  }

  /** What the indentation of a line in an item means is drawn by its padding. Code keeps its own. */
  #hideSpaces(at: number): void {
    const { text, to } = this.#doc.lineAt(at)
    const hideFrom = (start: number) => {
      const { length } = /^\s*/.exec(text.slice(start - at))![0]
      if (length === 0 || start + length >= to || this.#touch.range(start, start + length - 1)) return
      const inside = syntaxTree(this.#state).resolveInner(start + length, 1)
      if (inside.name !== 'CodeText') this.#push(hide, start, start + length)
    }
    const quotes = this.#quoteDepth.has(at) ? /^(?:\s*>[ \t]?)*/.exec(text)![0].length : 0
    hideFrom(at)
    if (quotes > 0) hideFrom(at + quotes)
  }

  /** Swallows the space that follows a block’s mark. */
  #withSpace(end: number): number {
    return this.#doc.sliceString(end, end + 1) === ' ' ? end + 1 : end
  }

  #childText(node: SyntaxNode, child: string): string {
    const found = node.getChild(child)
    return found ? this.#state.sliceDoc(found.from, found.to) : ''
  }
}

/** How nodes are drawn beside the classes they get. */
const drawn: Record<string, (preview: Preview, node: SyntaxNode) => void> = {
  ListItem: (preview, node) => preview.listItem(node),
  Blockquote: (preview, node) => preview.quote(node),
  Link: (preview, node) => preview.link(node),
  Image: (preview, node) => preview.image(node),
  ListMark: (preview, node) => preview.listMark(node),
  HeaderMark: (preview, node) => preview.headerMark(node),
  EmphasisMark: (preview, node) => preview.inlineMark(node),
  StrikethroughMark: (preview, node) => preview.inlineMark(node),
  CodeMark: (preview, node) => preview.inlineMark(node),
  LinkMark: (preview, node) => preview.linkMark(node),
  URL: (preview, node) => preview.url(node),
  Escape: (preview, node) => preview.escape(node),
  QuoteMark: (preview, node) => preview.quoteMark(node),
  HorizontalRule: (preview, node) => preview.rule(node),
  TableDelimiter: (preview, node) => preview.tableDelimiter(node),
}

/** How emphasis that is being written looks: behind a space its marks mean nothing yet, and it would lose its look. */
export function emphasisBeingWritten(state: EditorState): Range<Decoration>[] {
  const { main } = state.selection
  if (!main.empty) return []
  return emphasesToBe(state, main.head).flatMap(({ mark, emphasis: { open, close } }) => [
    faint.range(open.from, open.to),
    ...(open.to < close.from ? [inline[nodeOf[mark]]!.range(open.to, close.from)] : []),
    faint.range(close.from, close.to),
  ])
}

const isExternal = /^(https?:|mailto:)/i

/** Draws markdown as what it means, except where the cursor is. Ctrl or Command with a click follows a link. */
export function livePreview(): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      /** What is drawn as it is written, since the selection is there. */
      shown: readonly SelectionRange[] = []

      constructor(view: EditorView) {
        this.decorations = this.build(view)
      }

      update(update: ViewUpdate) {
        const isPressed = update.state.field(pressed)
        if (isPressed) this.shown = this.shown.map((range) => range.map(update.changes))
        if (
          isPressed !== update.startState.field(pressed) ||
          update.docChanged ||
          update.viewportChanged ||
          update.selectionSet ||
          update.focusChanged ||
          update.startState.readOnly !== update.state.readOnly ||
          syntaxTree(update.startState) !== syntaxTree(update.state) ||
          update.startState.field(shownImages) !== update.state.field(shownImages) ||
          update.startState.facet(suggestedPlaces) !== update.state.facet(suggestedPlaces) ||
          update.transactions.some(({ effects }) => effects.some((effect) => effect.is(filesKnown)))
        ) {
          this.decorations = this.build(update.view)
        }
      }

      build(view: EditorView): DecorationSet {
        const { state } = view
        if (state.doc.length > livePreviewLimit) return Decoration.none
        if (!state.field(pressed)) this.shown = view.hasFocus && !state.readOnly ? state.selection.ranges : []
        const ranges = this.shown
        const range = (from: number, to: number) => ranges.some((r) => r.from <= to && r.to >= from)
        const touch: Touch = {
          range,
          line: (at) => {
            const { from, to } = state.doc.lineAt(at)
            return range(from, to)
          },
        }
        const all = view.visibleRanges.flatMap(({ from, to }) => previewDecorations(state, from, to, touch))
        if (ranges.length === 1) all.push(...emphasisBeingWritten(state))
        return Decoration.set(boundedDrawing(state.doc, all), true)
      }
    },
    { decorations: (value) => value.decorations },
  )
  return [
    shownImages,
    pressed,
    plugin,
    EditorView.domEventHandlers({
      mousedown(event) {
        if (!(event.ctrlKey || event.metaKey) || !(event.target instanceof Element)) return false
        const href = event.target.closest('[data-href]')?.getAttribute('data-href')
        if (!href || !isExternal.test(href)) return false
        event.preventDefault()
        window.open(href, '_blank', 'noopener,noreferrer')
        return true
      },
    }),
  ]
}
