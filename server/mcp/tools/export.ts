import { Type } from 'typebox'
import { readDocument } from '../../actions/documents.ts'
import { readAsCriticMarkup } from '../../actions/export-with-feedback.ts'
import { fileNameOf } from '../../domain/file-name.ts'
import { Mistake } from '../refusal.ts'
import { tool } from '../tool.ts'
import { documentId } from './fields.ts'

const mostCharacters = 400_000

export const exportText = tool({
  name: 'export',
  title: 'Export a document',
  right: 'export',
  description:
    'The whole markdown of a document as one file, or with its pending suggestions and open comments in it as CriticMarkup.',
  reads: true,
  input: Type.Object({
    document: documentId,
    with_feedback: Type.Optional(
      Type.Boolean({ description: 'Not by a link: there “read” with “feedback” has what it lets you see.' }),
    ),
  }),
  async run({ client }, { document: id, with_feedback = false }) {
    const action = with_feedback ? readAsCriticMarkup : readDocument
    const { title, content } = await client.perform(action, { id }, undefined)
    if (content.length > mostCharacters)
      throw new Mistake(
        `This text has ${content.length} characters, too many for one answer. “read” gives it in parts; “galley export DIR” or GET /api/documents/${id}/export gives it as a file.`,
      )
    const uri = `galley://documents/${id}/${encodeURIComponent(fileNameOf(title))}.md`
    return [{ type: 'resource', resource: { uri, mimeType: 'text/markdown', text: content } }]
  },
})
