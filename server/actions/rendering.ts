import type { RenderedText } from '../contract/records/rendering.ts'
import { forbidden, notFound } from '../contract/errors.ts'
import { documentRoutes } from '../contract/routes/documents.ts'
import { accountAction, documentAction } from './action.ts'
import {
  pageWithFeedback,
  permitFeedback,
  readAsCriticMarkup,
  type PageWithFeedback,
} from './export-with-feedback.ts'
import { presentDocument, refuseTooLarge, textOf } from './present-document.ts'
import { renderedDocument, type RenderedPage } from './rendered-document.ts'
import type { RenderingContext } from './rendering-context.ts'
import type { AccountTask, DocumentTask } from './task.ts'
import { turnOfOwner } from './principal.ts'

const rendered = (task: DocumentTask<RenderingContext>): Promise<RenderedPage> =>
  renderedDocument(task.context, task.document, () => textOf(task.store, task.document), task.turn())

export const renderDocument = documentAction({ right: 'document.read', effect: 'reads', run: rendered })

/** A document as it leaves Galley for good: its text exactly as it is stored, or as a page, which Word files are made of, too. */
export const exportDocument = documentAction({
  right: 'export',
  effect: 'reads',
  run(
    task: DocumentTask<RenderingContext>,
    { format, feedback }: { format: 'md' | 'html' | 'docx'; feedback?: boolean | undefined },
  ): ExportedText | Promise<ExportedText | RenderedPage | PageWithFeedback> {
    if (feedback) permitFeedback(task)
    if (format === 'docx' && task.principal.kind === 'link')
      throw forbidden('A share link exports markdown and web pages.')
    if (format !== 'md')
      return feedback ? pageWithFeedback(task, { isForWord: format === 'docx' }) : rendered(task)
    if (feedback) return readAsCriticMarkup.run(task, undefined, () => {})
    const { title, text } = presentDocument(task.store, task.document.id)
    return { title, content: text.whole }
  },
})
export interface ExportedText {
  title: string
  content: string
}

/** The rendered page of a document in the trash. */
export const renderTrashed = accountAction({
  right: 'trash.read',
  effect: 'reads',
  run({ context, store, principal, target }: AccountTask<RenderingContext>): Promise<RenderedPage> {
    const row = store.trash.find(target['id'] ?? '', principal.user.id)
    if (!row) throw notFound('Document')
    return renderedDocument(context, row, () => row, turnOfOwner(row))
  },
})

/** Of any text; nothing is stored. */
export const renderMarkdown = accountAction({
  right: 'markdown.render',
  effect: 'reads',
  accepts: documentRoutes.renderMarkdown.body,
  check: (_task, { content }: { content: string }) => refuseTooLarge(content),
  async run(task: AccountTask<RenderingContext>, { content }: { content: string }): Promise<RenderedText> {
    const { html, limited } = await task.context.markdown.render(content, task.turn())
    return { html, limited }
  },
})
