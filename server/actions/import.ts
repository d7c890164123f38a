import { accountAction } from './action.ts'
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
}

/** Makes documents of texts from elsewhere, all or none. Their ids, in the same order. */
export const importTexts = accountAction({
  right: 'document.create',
  effect: 'writes',
  check(_task, texts: readonly ImportedDocument[]) {
    for (const { content } of texts) refuseTooLarge(content)
  },
  run: ({ store, principal }, texts: readonly ImportedDocument[], happened): string[] =>
    texts.map((fields) => {
      const { content, threads, edits } = readFeedback(fields.content, fields.feedback)
      const { author } = principal
      const document = store.documents.create(principal.user.id, { ...fields, content }, author, 'import')
      new ReceivedFeedback(store, document.number, { content, threads, edits }, author).save()
      happened({ kind: 'document.created', document })
      return document.id
    }),
})
