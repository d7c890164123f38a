/** What a page asks the frame that draws diagrams, which knows nothing of the page but this. */
export interface DrawingOrder {
  id: number
  source: string
  dark: boolean
}

/** A diagram as a picture: an SVG that stands alone, with the words by which it is known. */
export interface Drawing {
  svg: string
  width: number
  height: number
  /** What the diagram says of itself, or else what kind it is. */
  title: string
}

/** What the frame answers. It draws what others wrote, so nothing in it is taken for granted. */
export type DrawingAnswer =
  | { kind: 'ready' }
  | ({ kind: 'drawn'; id: number } & Drawing)
  | { kind: 'failed'; id: number; message: string }

/** A source that is longer isn’t drawn: it would take too long, and fit no page. */
export const maxSource = 30_000
/** Connections of one diagram. */
export const maxEdges = 400
const maxSvg = 4_000_000
const maxSide = 20_000
export const maxTitle = 300

/** Reads an answer; null for anything else that something in the frame may say. */
export function readAnswer(data: unknown): DrawingAnswer | null {
  if (typeof data !== 'object' || data === null) return null
  const { kind, id, svg, width, height, title, message } = data as Record<string, unknown>
  if (kind === 'ready') return { kind }
  if (typeof id !== 'number') return null
  if (kind === 'failed' && typeof message === 'string')
    return { kind, id, message: message.slice(0, maxTitle) }
  if (kind !== 'drawn' || typeof svg !== 'string' || typeof title !== 'string') return null
  if (svg.length > maxSvg || !isSide(width) || !isSide(height))
    return { kind: 'failed', id, message: 'It is too large to be shown.' }
  return { kind, id, svg, width, height, title: title.slice(0, maxTitle) }
}

const isSide = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= maxSide
