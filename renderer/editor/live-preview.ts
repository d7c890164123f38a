import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Range } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view'
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common'
import { emphasesToBe, nodeOf } from './emphasis.ts'
import { ImageWidget, shownImages } from './remote-images.ts'

/** Above this length the text is shown plain, so that typing stays quick. */
export const livePreviewLimit = 3_000_000

/** Where the writer is; marks there are shown as typed. */
export interface Touch {
  range: (from: number, to: number) => boolean
  line: (at: number) => boolean
}

class Bullet extends WidgetType {
  override eq() {
    return true
  }
  override toDOM() {
    const bullet = document.createElement('span')
    bullet.className = 'md-bullet'
    bullet.textContent = '•'
    return bullet
  }
}

class Rule extends WidgetType {
  override eq() {
    return true
  }
  override toDOM() {
    const rule = document.createElement('span')
    rule.className = 'md-rule'
    return rule
  }
}

class Checkbox extends WidgetType {
  private readonly done: boolean
  constructor(done: boolean) {
    super()
    this.done = done
  }
  override eq(other: Checkbox) {
    return other.done === this.done
  }
  override toDOM(view: EditorView) {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.className = 'md-checkbox'
    box.checked = this.done
    box.disabled = view.state.readOnly
    box.tabIndex = -1
    box.setAttribute('aria-label', this.done ? 'Done' : 'To do')
    box.onmousedown = (event) => event.preventDefault()
    box.onclick = (event) => {
      event.preventDefault()
      // The text may have moved since this was drawn; the widget knows where it stands now.
      const at = view.posAtDOM(box)
      const insert = view.state.sliceDoc(at + 1, at + 2) === ' ' ? 'x' : ' '
      if (!view.state.readOnly) {
        view.dispatch({ changes: { from: at + 1, to: at + 2, insert }, userEvent: 'input' })
      }
    }
    return box
  }
  override ignoreEvent() {
    return true
  }
}

const hide = Decoration.replace({})
const bullet = Decoration.replace({ widget: new Bullet() })
const rule = Decoration.replace({ widget: new Rule() })
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

const attribute = (state: EditorState, node: SyntaxNode, child: string) => {
  const found = node.getChild(child)
  return found ? state.sliceDoc(found.from, found.to) : ''
}

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
  const out: Range<Decoration>[] = []
  const { doc } = state
  const add = (decoration: Decoration, start: number, end = start) => {
    if (end > start || isLine(decoration)) out.push(decoration.range(start, end))
  }
  const hideUnless = (touched: boolean, start: number, end: number) => {
    if (end <= start) return
    if (touched) add(faint, start, end)
    else out.push(hide.range(start, end))
  }
  const eachLine = (start: number, end: number, draw: (from: number) => void) => {
    for (let at = doc.lineAt(Math.max(from, start)); at.from <= Math.min(to, end);) {
      draw(at.from)
      if (at.number >= doc.lines) break
      at = doc.line(at.number + 1)
    }
  }
  /** Swallows the space that follows a block’s mark. */
  const withSpace = (end: number) => (doc.sliceString(end, end + 1) === ' ' ? end + 1 : end)
  const listDepth = new Map<number, number>()

  const link = (node: SyntaxNode) => {
    const marks = node.getChildren('LinkMark')
    const url = attribute(state, node, 'URL')
    // `[words]` alone is only a link if it is defined somewhere; it stays as typed.
    if (marks.length < 3 && !node.getChild('LinkLabel')) return
    const [open, close] = marks
    if (!open || !close || close.from <= open.to) return
    out.push(
      Decoration.mark({
        class: 'md-link',
        attributes: url ? { 'data-href': url, title: url } : {},
      }).range(open.to, close.from),
    )
    const touched = touch.range(node.from, node.to) || doc.lineAt(close.from).to < node.to
    hideUnless(touched, open.from, open.to)
    hideUnless(touched, close.from, node.to)
  }

  const image = (node: SyntaxNode) => {
    const marks = node.getChildren('LinkMark')
    if (marks.length < 2 || doc.lineAt(node.from).to < node.to) return
    const src = attribute(state, node, 'URL').replace(/^<|>$/g, '')
    if (src === '') return
    const widget = new ImageWidget(
      src,
      state.sliceDoc(marks[0]!.to, marks[1]!.from),
      state.field(shownImages, false)?.has(src) ?? false,
    )
    if (touch.range(node.from, node.to)) add(faint, node.from, node.to)
    else out.push(Decoration.replace({ widget }).range(node.from, node.to))
  }

  const listMark = (node: SyntaxNode) => {
    const end = withSpace(node.to)
    const task = node.nextSibling?.name === 'Task' ? node.nextSibling.firstChild : null
    // At either end of it the cursor is beside the mark, not in it.
    const last = task?.name === 'TaskMarker' ? task.to : end
    const touched = touch.range(node.from + 1, last - 1)
    if (task?.name === 'TaskMarker') {
      const ticked = doc.sliceString(task.from + 1, task.from + 2) !== ' '
      if (ticked) add(done, doc.lineAt(task.from).from)
      if (touched) return add(faint, node.from, task.to)
      out.push(hide.range(node.from, end))
      out.push(boxes[ticked ? 1 : 0]!.range(task.from, withSpace(task.to)))
    } else if (/[-*+]/.test(doc.sliceString(node.from, node.from + 1))) {
      if (touched) add(mark('md-bullet md-faint'), node.from, end)
      else out.push(bullet.range(node.from, end))
    } else add(number, node.from, end)
  }

  const enter = (ref: SyntaxNodeRef): boolean | undefined => {
    const { name } = ref
    const heading = /^(ATX|Setext)Heading(\d)$/.exec(name)
    if (heading) {
      eachLine(ref.from, ref.to, (at) => add(headingLines[Number(heading[2]) - 1]!, at))
    } else if (inline[name]) {
      add(inline[name], ref.from, ref.to)
    } else if (lines[name]) {
      eachLine(ref.from, ref.to, (at) => add(lines[name]!, at))
      add(blockFirst, doc.lineAt(ref.from).from)
      add(blockLast, doc.lineAt(ref.to).from)
    }
    switch (name) {
      case 'ListItem': {
        const first = doc.lineAt(ref.from).from
        eachLine(ref.from, ref.to, (at) => {
          const depth = (listDepth.get(at) ?? 0) + 1
          listDepth.set(at, depth)
          // The first line’s mark hangs out to the left of the words.
          if (at === first) listHangs.add(at)
          else if (depth > 1 && !listHangs.has(at)) listHangs.delete(at)
        })
        return
      }
      case 'Link':
        link(ref.node)
        return
      case 'Image':
        image(ref.node)
        return false
      case 'ListMark':
        listMark(ref.node)
        return
      case 'HeaderMark': {
        const setext = ref.node.parent?.name.startsWith('Setext') ?? false
        const atStart = doc.lineAt(ref.from).from === ref.from || doc.sliceString(ref.to, ref.to + 1) === ' '
        const start =
          atStart || setext ? ref.from : ref.from - (doc.sliceString(ref.from - 1, ref.from) === ' ' ? 1 : 0)
        if (setext) add(faint, ref.from, ref.to)
        else hideUnless(touch.line(ref.from), start, withSpace(ref.to))
        return
      }
      case 'EmphasisMark':
      case 'StrikethroughMark':
      case 'CodeMark': {
        const parent = ref.node.parent
        if (!parent) return
        if (parent.name === 'FencedCode') add(fenceLine, doc.lineAt(ref.from).from)
        else hideUnless(touch.range(parent.from, parent.to), ref.from, ref.to)
        return
      }
      case 'LinkMark':
        if (ref.node.parent?.name === 'Autolink') {
          hideUnless(touch.range(ref.node.parent.from, ref.node.parent.to), ref.from, ref.to)
        }
        return
      case 'URL': {
        const parent = ref.node.parent?.name
        if (parent !== 'Link' && parent !== 'LinkReference') {
          const url = state.sliceDoc(ref.from, ref.to)
          const href =
            url.includes('@') && !url.includes(':') ? `mailto:${url}` : url.replace(/^(?=www\.)/i, 'http://')
          out.push(
            Decoration.mark({ class: 'md-link', attributes: { 'data-href': href } }).range(ref.from, ref.to),
          )
        }
        return
      }
      case 'Escape':
        hideUnless(touch.range(ref.from, ref.to), ref.from, ref.from + 1)
        return
      case 'QuoteMark':
        hideUnless(touch.line(ref.from), ref.from, withSpace(ref.to))
        return
      case 'Blockquote':
        eachLine(ref.from, ref.to, (at) => {
          quoteDepth.set(at, (quoteDepth.get(at) ?? 0) + 1)
          if (!itemsAroundQuote.has(at)) itemsAroundQuote.set(at, listDepth.get(at) ?? 0)
        })
        return
      case 'HorizontalRule':
        if (touch.line(ref.from)) add(faint, ref.from, ref.to)
        else out.push(rule.range(ref.from, ref.to))
        return
      case 'TableDelimiter':
        add(faint, ref.from, ref.to)
    }
  }
  const listHangs = new Set<number>()
  const quoteDepth = new Map<number, number>()
  const itemsAroundQuote = new Map<number, number>()
  syntaxTree(state).iterate({ from, to, enter })

  for (const [at, depth] of listDepth) {
    const text = doc.lineAt(at)
    out.push(
      Decoration.line({
        class: listHangs.has(at) ? 'md-item md-hang' : 'md-item',
        attributes: { style: `--depth:${depth}` },
      }).range(at),
    )
    // What the indentation means is drawn by the line’s padding. Code keeps its own.
    const hideSpace = (start: number) => {
      const { length } = /^\s*/.exec(text.text.slice(start - at))![0]
      if (length === 0 || start + length >= text.to || touch.range(start, start + length - 1)) return
      const inside = syntaxTree(state).resolveInner(start + length, 1)
      if (inside.name !== 'CodeText') out.push(hide.range(start, start + length))
    }
    const quotes = quoteDepth.has(at) ? /^(?:\s*>[ \t]?)*/.exec(text.text)![0].length : 0
    hideSpace(at)
    if (quotes > 0) hideSpace(at + quotes)
  }
  for (const [at, depth] of quoteDepth) {
    const around = itemsAroundQuote.get(at) ?? 0
    const style = `--quotes:${depth}${around > 0 ? `;--around:${around}` : ''}`
    out.push(Decoration.line({ class: 'md-quote', attributes: { style } }).range(at))
  }
  return out
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

      constructor(view: EditorView) {
        this.decorations = this.build(view)
      }

      update(update: ViewUpdate) {
        if (
          update.docChanged ||
          update.viewportChanged ||
          update.selectionSet ||
          update.focusChanged ||
          syntaxTree(update.startState) !== syntaxTree(update.state) ||
          update.startState.field(shownImages) !== update.state.field(shownImages)
        ) {
          this.decorations = this.build(update.view)
        }
      }

      build(view: EditorView): DecorationSet {
        const { state } = view
        if (state.doc.length > livePreviewLimit) return Decoration.none
        const ranges = view.hasFocus && !state.readOnly ? state.selection.ranges : []
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
        return Decoration.set(all, true)
      }
    },
    { decorations: (value) => value.decorations },
  )
  return [
    shownImages,
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
