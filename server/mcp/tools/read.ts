import { Type } from 'typebox'
import { listComments } from '../../actions/comments.ts'
import { compareRevisions, readRevision } from '../../actions/revisions.ts'
import { listSuggestions } from '../../actions/suggestions.ts'
import type { Range } from '../../contract/records/anchors.ts'
import type { SuggestionStatus } from '../../contract/records/suggestions.ts'
import type { Document } from '../../contract/records/documents.ts'
import { endsBefore } from '../../domain/line-part.ts'
import type { AgentClient } from '../agent-client.ts'
import { Mistake } from '../refusal.ts'
import { counted } from '../brief.ts'
import { readOutlined } from '../outlined.ts'
import { LineNumbers } from '../line-numbers.ts'
import { linesOf, outlineOf, sectionOf } from '../sections.ts'
import { hiddenIn, withoutHidden } from '../hidden-feedback.ts'
import { named, shownChanges, shownFeedback, usualCharacters } from '../shown.ts'
import { tool } from '../tool.ts'
import { documentId } from './fields.ts'

const mostCharacters = 200_000

export const read = tool({
  name: 'read',
  title: 'Read a document',
  right: 'document.read',
  description:
    'The markdown of a document to the letter: all of it (a long one in parts), what is under a “heading”, or some “lines”. Or “outline”: its headings. Or “since_revision”: what changed since a revision you read before. Or “feedback”: comments and suggestions, with their ids.',
  reads: true,
  input: Type.Object({
    document: documentId,
    heading: Type.Optional(Type.String({ description: 'Only what is under this heading.' })),
    lines: Type.Optional(Type.String({ description: 'Only these lines: “10-40”, “7” or “41-”.' })),
    outline: Type.Optional(Type.Boolean({ description: 'Its headings instead of its text.' })),
    since_revision: Type.Optional(
      Type.Integer({ minimum: 1, description: 'What changed since this revision instead of the text.' }),
    ),
    feedback: Type.Optional(
      Type.Enum(['open', 'all'], {
        description: 'Comments and suggestions instead of the text: those that are open, or all.',
      }),
    ),
    from_character: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Go on at this character of the text, as an answer says that ended within a line.',
      }),
    ),
    max_characters: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: mostCharacters,
        description: `How much of the text at most (${usualCharacters.toLocaleString('en')}).`,
      }),
    ),
  }),
  async run({ client }, { document: id, heading, lines, outline, since_revision, feedback, ...much }) {
    const document = await readOutlined(client, id, outline === true || heading !== undefined)
    const { content } = document
    if (since_revision !== undefined) return changesSince(client, document, since_revision)
    if (feedback !== undefined) return feedbackOf(client, document, feedback)
    if (outline === true)
      return `${headOf(document)}\n${outlineOf(document.headings) || 'It has no headings.'}`
    if (heading !== undefined && lines !== undefined)
      throw new Mistake('Give “heading” or “lines”, not both.')
    const numbers = new LineNumbers(content)
    const part =
      lines !== undefined
        ? linesOf(numbers, lines)
        : heading !== undefined
          ? sectionOf(document.headings, heading)
          : { start: 0, end: content.length }
    const { from_character: from = part.start, max_characters: most = usualCharacters } = much
    if (from < part.start || from > part.end)
      throw new Mistake(
        `“from_character” must be from ${part.start} to ${part.end} here. You sent ${from}; the text may have changed since.`,
      )
    const mayEdit = client.may('document.edit')
    return shownPart(document, { start: from, end: part.end }, { most, numbers, mayEdit })
  },
})

/** What a document is, in one line. */
export function headOf({ id, title, revision, content }: Document, lines = new LineNumbers(content)): string {
  const size = `${counted(lines.count, 'line')}, ${content.length.toLocaleString('en')} characters`
  return `${named({ title, id })}, revision ${revision}, ${size}`
}

function shownPart(
  document: Document,
  { start, end }: Range,
  { most, numbers, mayEdit }: { most: number; numbers: LineNumbers; mayEdit: boolean },
): string {
  const { content } = document
  if (content === '')
    return `${headOf(document)}\nIt is empty.${mayEdit ? ' “edit” with “do”: “append” writes into it.' : ''}`
  let stop = end
  if (end - start > most) {
    const lastBreak = lastLineEnd(content, start, start + most)
    // A long line is cut, rather than that hardly anything is shown.
    const isEnough = lastBreak - start >= most / 2
    stop = isEnough ? lastBreak : wholeCharacters(content, start + most)
  }
  const from = numbers.at(start)
  const to = numbers.at(Math.max(start, stop - 1))
  const isAll = start === 0 && stop === content.length
  const which = isAll ? '' : `, lines ${from}–${to}`
  const isCutInLine = stop < end && !endsBefore(content, stop)
  const more =
    stop === end
      ? ''
      : isCutInLine
        ? `\n(Line ${to} goes on. Call again with “from_character”: ${stop}.)`
        : `\n(More: call again with “lines”: “${to + 1}-${end === content.length ? '' : numbers.at(end - 1)}”, or with “outline” to see what there is.)`
  return `${headOf(document, numbers)}${which}:\n\n${content.slice(start, stop).toWellFormed()}${more}`
}

/** A place, or the one before it where a character would be cut in two: neither half could be shown. */
const wholeCharacters = (content: string, at: number) =>
  /[\ud800-\udbff]/.test(content.charAt(at - 1)) ? at - 1 : at

/** Where the last line ends that ends before `most`; `start` if none does. */
function lastLineEnd(content: string, start: number, most: number): number {
  let at = most
  while (at > start && !endsBefore(content, at)) at--
  return at
}

async function changesSince(client: AgentClient, document: Document, from: number): Promise<string> {
  const { id, revision } = document
  if (from === revision) return `${headOf(document)}\nNothing has changed since.`
  if (!client.mayTry('version.read'))
    throw new Mistake('By this link earlier texts aren’t read. Read the text as it is now, or parts of it.')
  if (from > revision)
    throw new Mistake(
      `There is no revision ${from} yet: the newest is ${revision}. “versions” lists the earlier ones.`,
    )
  const [changes, before] = await Promise.all([
    client.perform(compareRevisions, { id }, { from }),
    client.perform(readRevision, { id, revision: String(from) }, undefined),
  ])
  return `${headOf(document)}\n${shownChanges(before.content, changes)}`
}

/** Suggestions with their replies; none where whoever asks may not see them. */
export const suggestionsOf = async (
  client: AgentClient,
  id: string,
  which: { status?: SuggestionStatus } = {},
) =>
  client.mayTry('suggestion.list') ? client.perform(listSuggestions, { id }, { replies: true, ...which }) : []

/** What has been said about a document, with ids; of what is open, not what its owner has hidden. */
export async function feedbackOf(
  client: AgentClient,
  document: Document,
  which: 'open' | 'all',
): Promise<string> {
  const { id, content } = document
  const isAll = which === 'all'
  const [allComments, allSuggestions] = await Promise.all([
    client.perform(listComments, { id }, isAll ? {} : { resolved: false }),
    suggestionsOf(client, id, isAll ? {} : { status: 'pending' }),
  ])
  const hidden = hiddenIn(allComments, allSuggestions)
  const { comments, suggestions } = isAll
    ? { comments: allComments, suggestions: allSuggestions }
    : withoutHidden(allComments, allSuggestions)
  // Replies to suggestions are shown with these.
  const threads = comments.filter(({ suggestion_id }) => suggestion_id === null)
  const lines = new LineNumbers(content)
  const shown = shownFeedback(lines, threads, suggestions)
  const head = headOf(document, lines)
  const about = hidden === 0 ? '' : `\n(${aboutHidden(hidden, isAll)})`
  if (shown === '')
    return `${head}\n${isAll ? 'Nobody has said anything yet.' : 'No comment and no suggestion is open.'}${about}`
  return `${head}\n${shown}${withIds(client)}${about}`
}

/** What may be done with the ids that were given. */
const withIds = (client: AgentClient) =>
  client.may('comment.manage')
    ? '\n(“reply”, and “resolve” to settle them, take these ids.)'
    : client.may('comment.create')
      ? '\n(“reply” takes these ids, and “resolve” those of comments that you made.)'
      : ''

const aboutHidden = (count: number, isShown: boolean) =>
  isShown
    ? 'The writer has hidden the guests whose words are marked as hidden; nobody else sees these. Don’t answer them.'
    : `${counted(count, 'thing')} of guests whom the writer has hidden ${count === 1 ? 'is' : 'are'} left out; “feedback”: “all” has them.`
