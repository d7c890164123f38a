import type { Rendered } from '../markdown/index.ts'
import type { Turn } from '../threads/fair-queue.ts'
import type { FileRow } from '../store/files.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { RenderingContext } from './rendering-context.ts'

/** What of a document its rendered page is about. */
type Facts = Pick<DocumentRow, 'id' | 'number' | 'title' | 'revision' | 'hash' | 'updated_at'>
export interface RenderedPage extends Rendered, Facts {
  /** What the document has beside its text, if the page shows or links any of that. */
  files: FileRow[]
}

/** What is being rendered, by document and revision. */
const underWay = new WeakMap<Store, Map<string, Promise<RenderedPage>>>()

/**
 * The rendered page of a document's current revision: from the database where it has been rendered before. It is
 * rendered once, however many ask meanwhile, and none of them holds the text.
 */
export function renderedDocument(
  context: RenderingContext,
  document: { id: string; revision: number },
  read: () => DocumentRow,
  turn: Turn,
): Promise<RenderedPage> {
  const { store } = context
  const waiting = underWay.get(store) ?? new Map<string, Promise<RenderedPage>>()
  underWay.set(store, waiting)
  const key = `${document.id} ${document.revision}`
  const known = waiting.get(key)
  if (known) return known
  const rendering = render(context, read(), turn)
  if (!(rendering instanceof Promise)) return Promise.resolve(rendering)
  waiting.set(key, rendering)
  const forget = () => void waiting.delete(key)
  rendering.then(forget, forget)
  return rendering
}

function render(
  { store: { renders, files }, markdown }: RenderingContext,
  { text, id, number, title, revision, hash, updated_at }: DocumentRow,
  turn: Turn,
): RenderedPage | Promise<RenderedPage> {
  const facts: Facts = { id, number, title, revision, hash, updated_at }
  const stored = renders.find(facts)
  const page = (rendered: Rendered): RenderedPage => ({
    ...rendered,
    ...facts,
    files: rendered.html.includes('="files/') ? files.list(number) : [],
  })
  if (stored) return page({ ...(JSON.parse(stored.facts) as Omit<Rendered, 'html'>), html: stored.html })
  return markdown.render(text.whole, turn).then((rendered) => {
    const { html, ...others } = rendered
    // A page that ran out of time may come out whole on a calmer machine: it is not kept.
    if (rendered.limited !== 'time') renders.put(facts, { facts: JSON.stringify(others), html })
    return page(rendered)
  })
}
