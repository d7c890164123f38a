import { Type } from 'typebox'
import { createComment, updateComment } from '../../actions/comments.ts'
import { resolveSuggestions } from '../../actions/decisions.ts'
import { explainError } from '../../actions/explained-errors.ts'
import { createReply } from '../../actions/replies.ts'
import { createSuggestion } from '../../actions/suggestions.ts'
import { GalleyError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { nullable } from '../../contract/records/fields.ts'
import { anchorAt } from '../../domain/anchors/anchor.ts'
import type { AgentClient } from '../agent-client.ts'
import { changeFields, editsOf, place } from '../edits.ts'
import { readPlaced, type Source } from '../places.ts'
import { explained, Mistake } from '../refusal.ts'
import { sectionOf } from '../sections.ts'
import { brief, cited } from '../brief.ts'
import { tool } from '../tool.ts'
import { documentId } from './fields.ts'
import { suggestionsOf } from './read.ts'

/** Does one thing after the other; what was done before one failed is told with the failure. */
async function each<Item>(
  client: AgentClient,
  items: readonly Item[],
  act: (item: Item) => Promise<string>,
): Promise<string> {
  const done: string[] = []
  for (const item of items)
    try {
      done.push(await act(item))
    } catch (error) {
      if (done.length === 0) throw error
      const rest = items.length - done.length
      throw new Mistake(
        `${done.join('\n')}\nThe other ${rest} ${rest === 1 ? 'was' : 'were'} not made: ${explained(error, client)}`,
      )
    }
  return done.join('\n')
}

export const suggest = tool({
  name: 'suggest',
  title: 'Suggest changes',
  right: 'suggestion.create',
  description:
    'Proposes changes that the writer accepts or rejects, one or many, each with its reason. Nothing in the text changes by itself. If one place isn’t clear, none is made.',
  input: Type.Object({
    document: documentId,
    suggestions: Type.Array(
      Type.Object({
        ...changeFields,
        why: Type.String({
          minLength: 1,
          maxLength: limits.noteLength,
          description: 'The reason, for the writer to read.',
        }),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
  async run({ client }, { document: id, suggestions }) {
    const { source, edits } = await editsOf(client, id, suggestions)
    const { content, revision } = source
    const wanted = suggestions.map(({ why }, index) => {
      const { start, end, text } = edits[index]!
      const original_text = content.slice(start, end)
      if (original_text === text)
        throw new Mistake(`“${brief(text)}” is what stands there already. Nothing was suggested.`)
      const anchor = { ...anchorAt(content, start, end), revision }
      return { original_text, suggested_text: text, anchor, note: why }
    })
    return each(client, wanted, async (one) => {
      const made = await client.perform(createSuggestion, { id }, one)
      return `Suggested [${made.id}]: ${cited(one.original_text, 60)} → ${cited(one.suggested_text, 60)}`
    })
  },
})

export const comment = tool({
  name: 'comment',
  title: 'Comment',
  right: 'comment.create',
  description:
    'Says something about words of the text (“find”), about what is under a “heading”, or about the whole text, one or many times. If one place isn’t clear, nothing is said.',
  input: Type.Object({
    document: documentId,
    comments: Type.Array(
      Type.Object({
        ...place,
        body: Type.String({ minLength: 1, maxLength: limits.commentLength, description: 'What to say.' }),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
  async run({ client }, { document: id, comments }) {
    const source = await readPlaced(client, id, comments)
    const { content, revision, places } = source
    const wanted = comments.map(({ body, heading }, index) => {
      const place = places[index] ?? (heading === undefined ? null : headingLine(source, heading))
      if (!place) return { body }
      const { start, end } = place
      return { body, anchor: { ...anchorAt(content, start, end), revision } }
    })
    return each(client, wanted, async (one) => {
      const made = await client.perform(createComment, { id }, one)
      return `Commented [${made.id}]${made.anchor ? ` on ${cited(made.anchor.exact, 60)}` : ' on the whole text'}`
    })
  },
})

/** Of a longer one the beginning is enough. */
const longestHeading = 10_000

/** The words of a heading, which stand for all that is under it. */
function headingLine({ content, headings }: Source, heading: string) {
  const { start, end, text } = sectionOf(headings, heading)
  const [line = ''] = content.slice(start, Math.min(end, start + longestHeading)).split(/\r\n|\r|\n/, 1)
  // Inside of a quotation or a list, where there may be others, it is found by its words.
  const at = /^\s*(?:>|[-+*]\s|\d+[.)])/.test(line) && text !== '' ? content.indexOf(text, start) : -1
  if (at >= 0 && at < end) return { start: at, end: at + text.length }
  const lead = /^\s*#{0,6}\s*/.exec(line)![0].length
  return { start: start + lead, end: start + line.trimEnd().length }
}

export const reply = tool({
  name: 'reply',
  title: 'Reply',
  right: 'comment.create',
  description: 'Answers a comment or a suggestion.',
  input: Type.Object({
    document: documentId,
    to: Type.String({ description: 'The id of the comment or suggestion, from “read” with “feedback”.' }),
    body: Type.String({ minLength: 1, maxLength: limits.commentLength }),
  }),
  async run({ client }, { document: id, to, body }) {
    try {
      const { id: made } = await client.perform(createReply, { id, suggestion_id: to }, { body })
      return `Replied [${made}] to the suggestion.`
    } catch (error) {
      if (!(error instanceof GalleyError && error.code === 'NOT_FOUND')) throw error
    }
    const { id: made } = await client
      .perform(createComment, { id }, { body, parent_id: to })
      .catch((error: unknown) => {
        throw explainError(error)?.field === 'parent_id' ? noneToAnswer(to) : error
      })
    return `Replied [${made}] to the comment.${client.may('comment.manage') ? ' “resolve” settles it.' : ''}`
  },
})

const noneToAnswer = (to: string) =>
  new Mistake(
    `“to”: there is no comment and no suggestion [${brief(to, 80)}] here, or it is itself an answer to a suggestion. Nothing was done. Call “read” with “feedback” for those there are, and use an id from there.`,
  )

const mostSettled = 200

export const resolve = tool({
  name: 'resolve',
  title: 'Settle feedback',
  right: 'comment.create',
  destroys: true,
  description:
    'Settles comments (“resolve”), decides suggestions (“accept” changes the text, “reject” doesn’t), or takes that back (“reopen”). Do what the writer asked for; deciding about suggestions of others is the writer’s. With “seen”, a suggestion that its author has changed since you read it is left as it is.',
  input: Type.Object({
    document: documentId,
    as: Type.Enum(['resolve', 'accept', 'reject', 'reopen']),
    ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: mostSettled,
      description: 'Of comments or suggestions, from “read” with “feedback”.',
    }),
    seen: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          edited_at: nullable(
            Type.String({ description: 'The time behind “edited_at”; null where “read” gives none.' }),
          ),
        }),
        {
          maxItems: mostSettled,
          description:
            'Of suggestions that you decide, or reopen: when each was last edited as you read it. One that its author has changed since stays as it is, and is told so; one that isn’t named here is decided as it is now.',
        },
      ),
    ),
  }),
  async run({ client }, { document: id, as, ids, seen = [] }) {
    if (as === 'accept' || as === 'reject') return decide(client, id, as, ids, seen)
    return each(client, ids, async (comment_id) => {
      try {
        await client.perform(updateComment, { id, comment_id }, { resolved: as === 'resolve' })
        return `${as === 'resolve' ? 'Resolved' : 'Reopened'} [${comment_id}]`
      } catch (error) {
        const isNone = error instanceof GalleyError && error.code === 'NOT_FOUND'
        if (!isNone) throw error
        if (as === 'reopen') return decide(client, id, 'reopen', [comment_id], seen)
        if (await isSuggestion(client, id, comment_id))
          throw new Mistake(
            `[${comment_id}] is a suggestion: it is settled with “as”: “accept” or “reject”. Nothing was done about it.`,
          )
        throw error
      }
    })
  },
})

const isSuggestion = async (client: AgentClient, id: string, one: string) =>
  (await suggestionsOf(client, id)).some((suggestion) => suggestion.id === one)

async function decide(
  client: AgentClient,
  id: string,
  action: 'accept' | 'reject' | 'reopen',
  ids: string[],
  seen: { id: string; edited_at: string | null }[],
) {
  const outcomes = await client.perform(resolveSuggestions, { id }, { action, ids, seen })
  const lines = outcomes.map((one) =>
    one.error === null
      ? `[${one.id}] is ${one.status}.`
      : one.error === 'NOT_FOUND'
        ? `[${one.id}] is no suggestion of this document.`
        : one.error === 'ALREADY_RESOLVED'
          ? `[${one.id}] was ${one.status} before.`
          : one.error === 'CHANGED_SINCE'
            ? `[${one.id}] stays ${one.status}: its author has changed it since you saw it (CHANGED_SINCE). “read” with “feedback” shows it as it is.`
            : `[${one.id}] stays ${one.status}: the words it is about were changed. “edit” or “suggest” anew.`,
  )
  // As with all that is done one by one: what failed is a failure, which tells what was done.
  if (outcomes.some(({ error }) => error !== null)) throw new Mistake(lines.join('\n'))
  return lines.join('\n')
}
