import type { Rendered } from '../markdown/index.ts'
import type { Context } from './context.ts'

/** The rendered page of a document's current revision: from the database where it has been rendered before. */
export async function renderedDocument(
  context: Context,
  document: { number: number; revision: number; hash: number; content: string },
): Promise<Rendered> {
  const { renders } = context.store
  const stored = renders.find(document.number, document.revision)
  if (stored) return { ...(JSON.parse(stored.facts) as Omit<Rendered, 'html'>), html: stored.html }
  const rendered = await context.markdown.render(document.content)
  const { html, ...facts } = rendered
  // A page that ran out of time may come out whole on a calmer machine: it is not kept.
  if (rendered.limited !== 'time') {
    renders.put(document, { revision: document.revision, facts: JSON.stringify(facts), html })
  }
  return rendered
}
