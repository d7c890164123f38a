import type { ReceivedBytes } from '../store/blob-folder.ts'
import { accountAction } from './action.ts'
import { storeFile, type FilesContext } from './files.ts'
import type { AccountTask } from './task.ts'
import { ReceivedFeedback, readFeedback } from './feedback-as-text.ts'
import { refuseTooLarge } from './present-document.ts'

/** A text from elsewhere, with when it was first written and last changed there, as far as that is known. */
interface ImportedDocument {
  title: string
  content: string
  createdAt: number | null
  updatedAt: number | null
  /** Whether the content is CriticMarkup. */
  feedback?: boolean
  /** What the text leads to, by the names it has there. */
  files?: readonly { name: string; received: ReceivedBytes }[]
}

/** Makes documents of texts from elsewhere, all or none. Their ids, in the same order. */
export const importTexts = accountAction({
  right: 'document.create',
  effect: 'writes',
  check(_task: AccountTask<FilesContext>, texts: readonly ImportedDocument[]) {
    for (const { content } of texts) refuseTooLarge(content)
  },
  run: (
    { context, store, principal }: AccountTask<FilesContext>,
    texts: readonly ImportedDocument[],
    happened,
  ): string[] =>
    texts.map((fields) => {
      const { content, threads, edits } = readFeedback(fields.content, fields.feedback)
      const { author } = principal
      const document = store.documents.create(principal.user.id, { ...fields, content }, author, 'import')
      new ReceivedFeedback(store, document.number, { content, threads, edits }, author).save()
      for (const { name, received } of fields.files ?? [])
        storeFile(context, document.number, { name, received, link: null, authorKey: author.key })
      happened({ kind: 'document.created', document })
      return document.id
    }),
})
