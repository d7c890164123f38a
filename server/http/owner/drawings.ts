import { randomBytes } from 'node:crypto'
import { escapeHtml } from '../../markdown/escape-html.ts'

/** A diagram that the app has drawn, for a block whose source stands in the page as this. */
export interface PageDrawing {
  source: string
  svg: string
  width: number
  height: number
  title: string
}

/** So many sets are held for pages that are about to be printed; a page is printed at once, or not at all. */
const most = 4

/** What was drawn for pages on paper, which the server can't draw and which hold no script. */
export class Drawings {
  readonly #sets = new Map<string, { document: string; drawings: readonly PageDrawing[] }>()

  /** @returns the key by which the page of that document gets them */
  add(document: string, drawings: readonly PageDrawing[]): string {
    const key = randomBytes(16).toString('hex')
    this.#sets.set(key, { document, drawings })
    if (this.#sets.size > most) this.#sets.delete(this.#sets.keys().next().value!)
    return key
  }

  /** Once: afterwards they are gone. */
  take(document: string, key: string): readonly PageDrawing[] {
    const set = this.#sets.get(key)
    if (set?.document !== document) return []
    this.#sets.delete(key)
    return set.drawings
  }
}

/** Puts drawings in the place of their sources. In a picture nothing runs, and nothing is asked for. */
export function placeDrawings(html: string, drawings: readonly PageDrawing[]): string {
  if (drawings.length === 0) return html
  const bySource = new Map(drawings.map((drawing) => [drawing.source, drawing]))
  return html.replace(
    /<pre\b[^>]*><code class="language-mermaid">([^<]*)<\/code><\/pre>/gi,
    (block, source: string) => {
      const drawing = bySource.get(source)
      return drawing ? pictureOf(drawing) : block
    },
  )
}

const pictureOf = ({ svg, width, height, title }: PageDrawing) =>
  `<div class="diagram"><img src="data:image/svg+xml,${encodeURIComponent(svg)}" alt="${escapeHtml(title)}" width="${width}" height="${height}"></div>`
