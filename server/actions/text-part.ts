import { GalleyError, invalid } from '../contract/errors.ts'
import type { Outline, TextPart } from '../contract/records/text-parts.ts'
import { linesFrom, linesOver, type LinePart } from '../domain/line-part.ts'
import { sectionEnds } from '../domain/sections.ts'
import { idPrefix } from '../markdown/link-target.ts'
import type { DocumentRow } from '../store/documents.ts'
import { documentAction } from './action.ts'
import { presentDocument } from './present-document.ts'
import { renderedDocument } from './rendered-document.ts'
import type { RenderingContext } from './rendering-context.ts'
import type { DocumentTask } from './task.ts'

interface WantedPart {
  /** A heading's id or words. */
  heading?: string | undefined
  /** `12`, `12-20` or `12-`. */
  lines?: string | undefined
}

/** What stands under one heading, or some lines of that, or of the whole text. */
export const readPart = documentAction({
  right: 'document.read',
  effect: 'reads',
  check(_task, { lines }: WantedPart) {
    linesIn(lines)
  },
  run(task: DocumentTask<RenderingContext>, { heading, lines }: WantedPart): TextPart | Promise<TextPart> {
    const wanted = linesIn(lines)
    if (heading !== undefined)
      return findSection(task, heading).then(({ document, part }) => partOf(document, part, wanted))
    const document = presentDocument(task.store, task.document.id)
    return partOf(document, { start: 0, end: document.text.length, first: 1, last: Infinity }, wanted)
  },
})

/** Some lines of a part of the text, counted from its beginning on. */
function partOf(
  { revision, text }: DocumentRow,
  { start, end, first, last }: LinePart,
  wanted: { first: number; last: number },
): TextPart {
  const content = text.whole.slice(start, end)
  // Behind the last end of a line within the text, no further line of the part begins.
  const most = Math.min(wanted.last, last - first + 1)
  const part = wanted.first > most ? null : linesFrom(content, wanted.first, most)
  if (!part) throw invalid('“lines” begins behind the last line.', 'lines')
  return {
    revision,
    start: start + part.start,
    end: start + part.end,
    first_line: first + part.first - 1,
    last_line: first + part.last - 1,
    content: content.slice(part.start, part.end),
  }
}

/** Where each heading stands, and how far what is under it goes. */
export const readOutline = documentAction({
  right: 'document.read',
  effect: 'reads',
  async run(task: DocumentTask<RenderingContext>): Promise<Outline> {
    const { document, sections, limited } = await sectionsOf(task)
    const lines = linesOver(document.text.whole, sections)
    return {
      revision: document.revision,
      limited,
      headings: sections.map((section, index) => {
        const { first, last } = lines[index]!
        return { ...section, first_line: first, last_line: last }
      }),
    }
  },
})

/** What stands under a heading. */
async function findSection(task: DocumentTask<RenderingContext>, heading: string) {
  const { document, sections, limited } = await sectionsOf(task)
  if (limited)
    throw invalid('This text takes too long to read to find its headings. Read it by “lines”.', 'heading')
  const words = wordsOf(heading)
  const section =
    sections.find(({ id }) => id === heading || id === idPrefix + heading) ??
    sections.find(({ text }) => wordsOf(text) === words)
  if (!section)
    throw new GalleyError('NOT_FOUND', 'The text has no such heading; the outline lists those it has.', {
      field: 'heading',
    })
  const [lines] = linesOver(document.text.whole, [section])
  return { document, part: { ...section, ...lines! } }
}

const wordsOf = (heading: string) => heading.trim().replace(/\s+/g, ' ').toLowerCase()

interface Section {
  level: number
  text: string
  id: string
  start: number
  end: number
}

/** Where headings stand, in the text as it was when this was asked. */
async function sectionsOf(task: DocumentTask<RenderingContext>) {
  const document = presentDocument(task.store, task.document.id)
  const { headings, limited } = await renderedDocument(task.context, document, () => document, task.turn())
  const ends = sectionEnds(headings, document.text.length)
  const sections: Section[] = headings.map(({ level, text, id, block }, index) => {
    return { level, text, id, start: block, end: ends[index]! }
  })
  return { document, sections, limited }
}

function linesIn(written: string | undefined): { first: number; last: number } {
  if (written === undefined) return { first: 1, last: Infinity }
  const [, from, dash, to] = /^(\d{1,9})(?:(-)(\d{1,9})?)?$/.exec(written) ?? []
  const first = Number(from)
  const last = to !== undefined ? Number(to) : dash === undefined ? first : Infinity
  if (first >= 1 && last >= first) return { first, last }
  throw invalid(
    '“lines” must be a line, such as 12, or two with a hyphen between, such as 12-20 or 12-.',
    'lines',
  )
}
