import { accountAction } from './action.ts'
import { refuseTooLarge } from './present-document.ts'

/** A text from elsewhere, with when it was first written and last changed there, as far as that is known. */
interface ImportedDocument {
  title: string
  content: string
  createdAt: number | null
  updatedAt: number | null
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
      const document = store.documents.create(principal.user.id, fields, principal.author, 'import')
      happened({ kind: 'document.created', document })
      return document.id
    }),
})
