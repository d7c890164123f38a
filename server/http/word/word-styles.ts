import { AlignmentType, HeadingLevel, LevelFormat, ShadingType, type IRunOptions } from 'docx'
import { classesOf, type RenderedElement } from './html-tree.ts'

export type RunFormat = Pick<
  IRunOptions,
  | 'bold'
  | 'italics'
  | 'strike'
  | 'underline'
  | 'superScript'
  | 'subScript'
  | 'font'
  | 'size'
  | 'shading'
  | 'style'
>

export const formats: Record<string, RunFormat> = {
  strong: { bold: true },
  b: { bold: true },
  em: { italics: true },
  i: { italics: true },
  cite: { italics: true },
  dfn: { italics: true },
  var: { italics: true },
  del: { strike: true },
  s: { strike: true },
  strike: { strike: true },
  ins: { underline: {} },
  u: { underline: {} },
  sup: { superScript: true },
  sub: { subScript: true },
  mark: { shading: { type: ShadingType.CLEAR, fill: 'FFF2CC' } },
}
export const mono: RunFormat = { font: 'Consolas', size: 19 }
export const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]
export const alignments = { left: 'left', center: 'center', right: 'right', justify: 'both' } as const
export const inlines = new Set(
  'a abbr b bdi bdo br cite code del dfn em i img input ins kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)

export const isInlineMaths = (element: RenderedElement) =>
  element.name === 'span' && classesOf(element).includes('maths')

export const elementsIn = (element: RenderedElement, name: string): RenderedElement[] =>
  element.children.flatMap((child) =>
    typeof child === 'string' ? [] : child.name === name ? [child] : elementsIn(child, name),
  )

/** The line end behind the last line of code. */
export function dropLastBreak(element: RenderedElement): void {
  const last = element.children.at(-1)
  if (typeof last === 'string') element.children[element.children.length - 1] = last.replace(/\n$/, '')
  else if (last) dropLastBreak(last)
}

export const indentOf = (level: number) => ({
  paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } },
})
export const bullets = {
  reference: 'bullets',
  levels: Array.from({ length: 9 }, (_, level) => ({
    ...{ level, format: LevelFormat.BULLET, text: ['•', '◦', '▪'][level % 3]! },
    ...{ alignment: AlignmentType.START, style: indentOf(level) },
  })),
}
