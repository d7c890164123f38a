import { writeCriticMarkup } from '../domain/critic-markup/write.ts'
import { documentAction } from './action.ts'
import { textWithFeedback } from './feedback-as-text.ts'
import { instantView } from './view.ts'
import { presentDocument } from './present-document.ts'

/** A document’s text with its pending suggestions and open comments, as CriticMarkup. */
export const readAsCriticMarkup = documentAction({
  right: 'document.read',
  effect: 'reads',
  run({ store, document }) {
    const row = presentDocument(store, document.id)
    const content = writeCriticMarkup(textWithFeedback(store, row))
    return { title: row.title, content, updated_at: instantView(row.updated_at) }
  },
})
