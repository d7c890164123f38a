import { Document, Packer, Paragraph, TextRun } from 'docx'
import { readHtml } from './html-tree.ts'
import { WordBuilder } from './word-builder.ts'
import type { WordInput } from './word-input.ts'
import { placeMarks, type WordComment } from './word-marks.ts'
import { wellFormed } from './word-text.ts'

/** A rendered text as a Word file, with its feedback as comments and tracked changes. */
export function wordDocument({ title, html, feedback, pictures }: WordInput): Promise<Uint8Array> {
  const order = [...html.matchAll(/<div class="b" data-b="(\d+)">/g)].map(([, offset]) => Number(offset))
  const marks = placeMarks(order, feedback)
  const builder = new WordBuilder(marks, pictures)
  const children = builder.build(title === null ? null : wellFormed(title), readHtml(html))
  const document = new Document({
    ...(title === null ? {} : { title: wellFormed(title) }),
    creator: 'Galley',
    features: { trackRevisions: marks.blocks.size + marks.lines.length > 0 },
    comments: { children: marks.comments.map(commentOf) },
    numbering: { config: builder.numbering },
    styles: {
      default: {
        document: { run: { font: 'Calibri', size: 22 }, paragraph: { spacing: { after: 120, line: 276 } } },
      },
      paragraphStyles: [
        {
          ...{ id: 'Quoted', name: 'Quoted', basedOn: 'Normal', quickFormat: true },
          ...{ run: { color: '595959' }, paragraph: { indent: { left: 480 } } },
        },
      ],
    },
    sections: [{ children: children.length > 0 ? children : [new Paragraph({})] }],
  })
  return Packer.toBuffer(document)
}

const commentOf = ({ id, parentId, author, date, text }: WordComment) => ({
  ...{ id, author: wellFormed(author), initials: [...wellFormed(author)][0] ?? '', date: new Date(date) },
  ...(parentId === undefined ? {} : { parentId }),
  children: text.split(/\r?\n/).map((line) => new Paragraph({ children: [new TextRun(wellFormed(line))] })),
})
