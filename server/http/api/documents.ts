import * as documents from '../../actions/documents.ts'
import * as marks from '../../actions/marks.ts'
import * as parts from '../../actions/text-part.ts'
import type { DocumentTask } from '../../actions/task.ts'
import type { RenderedPage } from '../../actions/rendered-document.ts'
import type { PageWithFeedback } from '../../actions/export-with-feedback.ts'
import * as rendering from '../../actions/rendering.ts'
import { documentRoutes } from '../../contract/routes.ts'
import { fileNameOf } from '../../domain/file-name.ts'
import { FileAnswer, SharedAnswer } from '../answer.ts'
import { shown } from '../call.ts'
import type { Context } from '../context.ts'
import { pageOf } from '../list-page.ts'
import { mount, type Mounting } from '../mount.ts'
import { exportedPage } from '../exported-page.ts'
import { fileUrl, placePictures } from '../page/placed-pictures.ts'
import { wordFile, wordType } from '../word/word-file.ts'
import { ifRevision, isCurrent, setEtag } from '../precondition.ts'
import { accessOf } from '../../domain/access.ts'

export function documentHandlers(mounting: Mounting) {
  mount(mounting, documentRoutes.listDocuments, documents.listDocuments, (call) => {
    const { q, details } = call.query
    const asked = { ...pageOf(call.query), q, details }
    if (documents.isSearch(asked)) return call.perform(asked)
    // Pages ask for it again and again. It is the same until something is written, whatever that may be.
    const place = `list ${call.task.principal.user.id} ${asked.limit} ${asked.offset} ${details === true}`
    return new SharedAnswer(
      `${place} ${call.context.store.memory.countWrites()}`,
      () => call.perform(asked),
      place,
    )
  })
  mount(mounting, documentRoutes.createDocument, documents.createDocument, (call) => call.perform(call.body))
  mount(mounting, documentRoutes.markFeedbackSeen, documents.markFeedbackSeen, (call) =>
    call.perform(call.body),
  )

  mount(mounting, documentRoutes.getDocument, documents.readDocument, (call) => {
    const { document, principal } = call.task
    setEtag(call.reply, document.revision)
    if (principal.kind !== 'link' && isCurrent(call.request, document.revision)) {
      void call.reply.code(304).send()
      return undefined
    }
    // What the link allows is in the answer, too, and may be something else at the same revision.
    const access = principal.kind === 'link' ? accessOf(principal.link) : 'owner'
    const name = `document ${nameOf(document)} ${access}`
    return new SharedAnswer(name, () => call.perform(), `document ${document.id} ${access}`)
  })

  mount(mounting, documentRoutes.getPart, parts.readPart, (call) => call.perform(call.query))
  mount(mounting, documentRoutes.getOutline, parts.readOutline, (call) => call.perform())

  mount(mounting, documentRoutes.updateDocument, documents.updateDocument, (call) =>
    call.perform({ ...call.body, ifRevision: ifRevision(call.request) }),
  )
  mount(mounting, documentRoutes.deleteDocument, documents.deleteDocument, (call) => call.perform(call.query))

  mount(mounting, documentRoutes.exportDocument, rendering.exportDocument, (call) => {
    const { document } = call.task
    const format = call.query.format ?? 'md'
    const show = (exported: rendering.ExportedText | RenderedPage | PageWithFeedback) => {
      if (!('html' in exported)) return textFile(exported)
      if (format !== 'docx') return pageFile(call.context, exported)
      return wordFile(call.context.blobs, exported).then(
        (bytes) => new FileAnswer(wordType, `${fileNameOf(exported.title)}.docx`, bytes),
      )
    }
    const { feedback } = call.query
    const make = () => shown(call.perform({ format, feedback }), show)
    // It may be another at the same revision.
    if (feedback || format === 'docx') return make()
    return new SharedAnswer<string>(
      `${format} ${nameOf(document)}`,
      make,
      format === 'html' ? `page ${document.id}` : undefined,
    )
  })

  mount(
    mounting,
    documentRoutes.renderDocument,
    rendering.renderDocument,
    (call) =>
      // Where its pictures are is another for each link.
      new SharedAnswer(`rendered ${nameOf(call.task.document)} ${tokenOf(call.task) ?? ''}`, () =>
        shown(call.perform(), ({ id, revision, title, html, files, headings, words }) => {
          const listed = headings.map(({ level, text, id }) => ({ level, text, id }))
          const placed = placePictures(html, files, fileUrl(id, tokenOf(call.task)))
          return { revision, title, html: placed, headings: listed, words }
        }),
      ),
  )
  mount(mounting, documentRoutes.renderMarkdown, rendering.renderMarkdown, (call) => call.perform(call.body))
  mount(mounting, documentRoutes.locateSelection, marks.locate, (call) => call.perform(call.body))
  mount(mounting, documentRoutes.listMarks, marks.listMarks, (call) => call.perform(call.query))
}

const tokenOf = ({ principal }: DocumentTask) =>
  principal.kind === 'link' ? principal.link.token : undefined

/** What names the text of a document as it is now. Its number isn't part of it: another document may get that later. */
const nameOf = ({ id, revision, updated_at }: { id: string; revision: number; updated_at: number }) =>
  `${id} ${revision} ${updated_at}`

const textFile = ({ title, content }: rendering.ExportedText) =>
  new FileAnswer('text/markdown', `${fileNameOf(title)}.md`, content)

async function pageFile(context: Context, page: RenderedPage | PageWithFeedback): Promise<FileAnswer> {
  const text = await exportedPage(context.assets(), context.blobs, page)
  // One that ran out of time may come out whole on a calmer machine.
  return new FileAnswer('text/html', `${fileNameOf(page.title)}.html`, text, page.limited !== 'time')
}
