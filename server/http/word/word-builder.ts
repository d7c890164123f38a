import {
  AlignmentType,
  BorderStyle,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type FileChild,
  type ILevelsOptions,
  type IParagraphOptions,
  type ParagraphChild,
} from 'docx'
import { classesOf, textIn, type RenderedElement, type RenderedNode } from './html-tree.ts'
import type { WordPicture } from './word-input.ts'
import {
  alignments,
  bullets,
  dropLastBreak,
  elementsIn,
  formats,
  headings,
  indentOf,
  inlines,
  isInlineMaths,
  mono,
  type RunFormat,
} from './word-styles.ts'
import type { Taken, WordMarks } from './word-marks.ts'
import { WordText, wellFormed } from './word-text.ts'

/** What stands around what is being written. */
interface Around {
  format: RunFormat
  heading?: (typeof HeadingLevel)[keyof typeof HeadingLevel]
  list?: { reference: string; level: number; isBegun: boolean }
  quotes: number
  alignment?: (typeof AlignmentType)[keyof typeof AlignmentType]
  isCode: boolean
  isInCell: boolean
}

/** So wide a picture may be, in pixels. */
const widest = 600
/** Makes Word’s paragraphs and tables of a rendered text. */
export class WordBuilder {
  readonly #text = new WordText()
  readonly #marks: WordMarks
  readonly #pictures: ReadonlyMap<string, WordPicture>
  readonly numbering: { reference: string; levels: ILevelsOptions[] }[] = [bullets]
  #out: FileChild[] = []
  #opening: ParagraphChild[] = []
  #lists = 0
  #isEndTracked = false

  constructor(marks: WordMarks, pictures: ReadonlyMap<string, WordPicture>) {
    this.#marks = marks
    this.#pictures = pictures
  }

  /** All of a text, below its title. */
  build(title: string | null, nodes: readonly RenderedNode[]): FileChild[] {
    const around: Around = { format: {}, quotes: 0, isCode: false, isInCell: false }
    this.#text.comment(this.#marks.apart, 'start')
    this.#text.comment(this.#marks.apart, 'end')
    // They stand at the beginning of the first paragraph, whatever that is.
    this.#opening = this.#text.runs
    this.#text.runs = []
    if (title !== null) {
      this.#text.add(new TextRun(wellFormed(title)))
      this.#close(around, { heading: HeadingLevel.TITLE })
    }
    this.#blocks(nodes, around)
    this.#close(around)
    // The last end of all can’t come or go.
    if (this.#isEndTracked) this.#out.push(new Paragraph({ spacing: { after: 0 } }))
    if (this.#opening.length > 0) this.#out.unshift(new Paragraph({ children: this.#opening }))
    return this.#out
  }

  #blocks(nodes: readonly RenderedNode[], around: Around): void {
    for (const node of nodes) {
      if (typeof node !== 'string' && !inlines.has(node.name) && !isInlineMaths(node)) {
        this.#close(around)
        this.#block(node, around)
      } else if (typeof node !== 'string' || node.trim() !== '' || this.#text.runs.length > 0)
        this.#inline(node, around)
    }
    this.#close(around)
  }

  #block(element: RenderedElement, around: Around): void {
    const { name, attributes, children } = element
    const align = alignments[(attributes.get('align') ?? '') as keyof typeof alignments]
    const here = align ? { ...around, alignment: align } : around
    const begins = attributes.get('data-b')
    if (begins !== undefined) this.#begin(Number(begins), element)
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level) return this.#blocks(children, { ...here, heading: headings[Number(level) - 1]! })
    if (name === 'div' && classesOf(element).includes('maths')) return this.#formula(element, here, true)
    if (name === 'ul' || name === 'ol') return this.#list(element, here)
    if (name === 'blockquote') return this.#blocks(children, { ...here, quotes: here.quotes + 1 })
    if (name === 'table') return this.#table(element, here)
    if (name === 'pre') dropLastBreak(element)
    if (name === 'pre')
      return this.#blocks(children, { ...here, isCode: true, format: { ...here.format, ...mono } })
    if (name === 'hr')
      return this.#push(
        this.#text.beside(),
        (run) =>
          new Paragraph({
            ...run,
            border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: 'BFBFBF', space: 1 } },
          }),
      )
    if (name === 'summary' || name === 'dt')
      return this.#blocks(children, { ...here, format: { ...here.format, bold: true } })
    if (name === 'figcaption')
      return this.#blocks(children, { ...here, format: { ...here.format, italics: true } })
    this.#blocks(children, here)
  }

  #begin(offset: number, element: RenderedElement): void {
    const isBare = textIn(element).trim() === ''
    const bare = isBare
      ? this.#marks.lines.find(({ source }) => source.start <= offset && offset < source.end)
      : null
    this.#text.begin(this.#marks.blocks.get(offset), bare?.taken ?? null)
  }

  /** Ends the paragraph that is being written, if there is one. */
  #close(around: Around, more: IParagraphOptions = {}): void {
    const { runs } = this.#text
    if (runs.length === 0) return
    this.#text.runs = []
    const end = this.#text.endParagraph()
    const { heading, list, quotes, alignment, isCode } = around
    const numbering =
      list && !list.isBegun ? { reference: list.reference, level: Math.min(list.level, 8) } : null
    if (list) list.isBegun = true
    const children = [...this.#opening, ...runs]
    this.#push(
      around.isInCell ? null : end,
      (run) =>
        new Paragraph({
          ...run,
          children,
          ...(heading ? { heading } : {}),
          ...(alignment ? { alignment } : {}),
          ...(numbering ? { numbering } : {}),
          ...(list && !numbering ? { indent: { left: 720 * (list.level + 1) } } : {}),
          ...(quotes > 0 && !list ? { style: 'Quoted', indent: { left: 480 * quotes } } : {}),
          ...(isCode
            ? { shading: { type: ShadingType.CLEAR, fill: 'F2F2F2' }, spacing: { after: 160 } }
            : {}),
          ...more,
        }),
    )
    this.#opening = []
  }

  /** A paragraph, whose end is tracked with what it comes or goes with. */
  #push(end: Taken | null, make: (run: IParagraphOptions) => Paragraph): void {
    this.#isEndTracked = end !== null
    this.#out.push(make(end ? { run: this.#text.change(end)! } : {}))
  }

  #list({ name, attributes, children }: RenderedElement, around: Around): void {
    const level = around.list ? around.list.level + 1 : 0
    const reference = name === 'ul' ? 'bullets' : this.#numbers(level, Number(attributes.get('start') ?? 1))
    for (const item of children) {
      if (typeof item === 'string') continue
      const isTask = classesOf(item).includes('task')
      const list = { reference, level, isBegun: isTask }
      this.#blocks(item.children, { ...around, list })
    }
  }

  #numbers(level: number, start: number): string {
    const reference = `numbers-${++this.#lists}`
    const levels = Array.from({ length: Math.min(level, 8) + 1 }, (_, at) => ({
      ...{ level: at, format: LevelFormat.DECIMAL, text: `%${at + 1}.`, start: Math.max(0, start) },
      ...{ alignment: AlignmentType.START, style: indentOf(at) },
    }))
    this.numbering.push({ reference, levels })
    return reference
  }

  #table(table: RenderedElement, around: Around): void {
    const rows = elementsIn(table, 'tr')
    const out = this.#out
    const changes = new Set<Taken['lines']>()
    let end: Taken | null = null
    const made = rows.map((row) => {
      const isHeader = row.children.some((one) => typeof one !== 'string' && one.name === 'th')
      const cells = row.children.filter((one): one is RenderedElement => typeof one !== 'string')
      const children: TableCell[] = []
      end = this.#text.inRow(() => {
        for (const cell of cells) children.push(this.#cell(cell, around))
      })
      changes.add(end?.lines ?? null)
      return new TableRow({ tableHeader: isHeader, children, ...this.#text.change(end) })
    })
    this.#out = out
    if (made.length === 0) return
    this.#out.push(new Table({ rows: made, width: { size: 100, type: WidthType.PERCENTAGE } }))
    // Between two tables Word wants a paragraph. It comes and goes with all of the table.
    this.#push(changes.size === 1 ? end : null, (run) => new Paragraph({ ...run, spacing: { after: 0 } }))
  }

  #cell({ name, attributes, children: words }: RenderedElement, { format }: Around): TableCell {
    this.#out = []
    const columnSpan = Number(attributes.get('colspan') ?? 1)
    const alignment = alignments[(attributes.get('align') ?? '') as keyof typeof alignments]
    const around: Around = {
      format: name === 'th' ? { ...format, bold: true } : format,
      ...{ quotes: 0, isCode: false, isInCell: true },
      ...(alignment ? { alignment } : {}),
    }
    this.#blocks(words, around)
    const children = this.#out.length > 0 ? this.#out : [new Paragraph({})]
    return new TableCell({
      children: children as (Paragraph | Table)[],
      ...(columnSpan > 1 ? { columnSpan } : {}),
    })
  }

  #inline(node: RenderedNode, around: Around): void {
    if (typeof node === 'string') return this.#text.write(node, around.format, around.isCode)
    const { name, attributes, children } = node
    if (isInlineMaths(node)) return this.#formula(node, around, false)
    if (name === 'br') return this.#text.sign({ break: 1 })
    if (name === 'img') return this.#picture(node)
    if (name === 'input') return this.#text.sign({ text: attributes.has('checked') ? '☑' : '☐' })
    if (classesOf(node).includes('footnote-back')) return this.#text.instead('', around.format, 1)
    const isCode = ['code', 'kbd', 'samp', 'tt'].includes(name)
    const format = { ...around.format, ...formats[name], ...(isCode ? mono : {}) }
    const write = () => {
      for (const child of children) {
        if (typeof child !== 'string' && !inlines.has(child.name) && !isInlineMaths(child))
          this.#block(child, around)
        else
          this.#inline(child, {
            ...around,
            format: name === 'a' ? { ...format, style: 'Hyperlink' } : format,
          })
      }
    }
    if (name === 'a') this.#text.inLink(attributes.get('href') ?? '', write)
    else write()
  }

  /** As it was written: Word’s own formulas are another language. */
  #formula(element: RenderedElement, around: Around, isBlock: boolean): void {
    const [annotation] = elementsIn(element, 'annotation')
    const said = annotation ? textIn(annotation) : textIn(element)
    const length = textIn(element).replace(/\s+/g, '').length
    this.#text.instead(said, { ...around.format, ...mono }, length)
    if (isBlock) this.#close(around, { alignment: AlignmentType.CENTER })
  }

  #picture({ attributes }: RenderedElement): void {
    const name = /^files\/(.+)$/.exec(attributes.get('src') ?? '')?.[1]
    const alt = wellFormed(attributes.get('alt') ?? '')
    const picture = name === undefined ? undefined : this.#pictures.get(name)
    if (!picture) return this.#text.sign({ text: `[${alt || 'Picture'}]`, italics: true })
    const scale = Math.min(1, widest / picture.width)
    const taken = this.#text.beside()
    this.#text.met(taken)
    this.#text.add(
      new ImageRun({
        ...this.#text.change(taken),
        type: picture.type,
        data: picture.bytes,
        transformation: {
          width: Math.max(1, Math.round(picture.width * scale)),
          height: Math.max(1, Math.round(picture.height * scale)),
        },
        altText: { name: alt || 'Picture', description: alt, title: alt },
      }),
    )
  }
}
