import type { RenderedPoint } from '../contract/records/rendering.ts'
import type { Limit } from './render-limits.ts'

/** What rendering a document yields. */
export interface Rendered {
  /** Safe HTML: top-level blocks as `<div class="b" data-b="<source offset>">`. */
  html: string
  headings: Heading[]
  /** Plain text of at most 200 characters, for a description of the page. */
  excerpt: string
  words: number
  /** As HTML names it; null where it can’t be told. */
  language: string | null
  /** Why rendering gave up, if it did; `html` is then the escaped source with a notice. */
  limited: Limit | null
}

export interface Heading {
  level: number
  text: string
  id: string
  /** The source offset of the block that holds the heading, as in `data-b`. */
  block: number
}

/** Half-open range of UTF-16 offsets in the markdown source. */
export interface SourceRange {
  start: number
  end: number
}

/** Part of the rendered page; `to.char` is exclusive. */
export interface RenderedRange {
  from: RenderedPoint
  to: RenderedPoint
  /** What all of that is written as: more than was asked for where that cuts through a formula, say. */
  source: SourceRange
}
