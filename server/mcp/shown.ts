import type { AuthorKind } from '../contract/records/authors.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { RevisionChanges } from '../contract/records/versions.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import { LineNumbers } from './sections.ts'

/** So much of a text is shown unless more is asked for. */
export const usualCharacters = 20_000

interface Written {
  author_name: string
  author_kind?: AuthorKind
  key_name: string | null
  mine: boolean
}

/** Who wrote something, and by which key. */
export const byline = ({ author_name, author_kind, key_name }: Omit<Written, 'mine'>) =>
  key_name !== null
    ? `${author_name} (by key “${key_name}”)`
    : author_kind === 'agent'
      ? `${author_name} (an agent that came by a link)`
      : author_name

/** Words on one line, as much of them as helps. */
export function brief(text: string, most = 160): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`
}

/** What people and agents have said about a text, in the order of their places. */
export function shownFeedback(
  content: string,
  comments: readonly Comment[],
  suggestions: readonly Suggestion[],
): string {
  const threads = comments.filter(
    ({ parent_id, suggestion_id }) => parent_id === null && suggestion_id === null,
  )
  const replies = Map.groupBy(comments, ({ parent_id }) => parent_id)
  const first = new Set(threads.map(({ id }) => id))
  // A reply is shown by itself where its thread isn't among them.
  const alone = comments.filter(
    ({ parent_id, suggestion_id }) => suggestion_id !== null || (parent_id !== null && !first.has(parent_id)),
  )
  const lines = new LineNumbers(content)
  const all = [
    ...threads.map((one) => ({
      at: one.range?.start ?? Infinity,
      show: () => shownThread(one, lines, replies.get(one.id) ?? []),
    })),
    ...suggestions.map((one) => ({
      at: one.range?.start ?? Infinity,
      show: () => shownSuggestion(one, lines),
    })),
  ].sort((one, other) => (one.at === other.at ? 0 : one.at - other.at))
  return [...all.map(({ show }) => show()), ...alone.map(shownReply)].join('\n')
}

function shownThread(comment: Comment, lines: LineNumbers, replies: readonly Comment[]): string {
  const { id, anchor, range, body, resolved_at } = comment
  const where = !anchor
    ? 'on the whole text'
    : range
      ? `line ${lines.at(range.start)}, on “${brief(anchor.exact)}”`
      : `on “${brief(anchor.exact)}”, which is gone`
  const state = resolved_at === null ? '' : ', resolved'
  return [
    `- Comment [${id}] by ${byline(comment)}, ${where}${state}:`,
    `  ${body.replace(/\n/g, '\n  ')}`,
    ...replies.map((reply) => `  ↳ ${byline(reply)}: ${reply.body.replace(/\n/g, '\n    ')}`),
  ].join('\n')
}

const shownReply = (reply: Comment) =>
  `- Reply by ${byline(reply)} to [${reply.suggestion_id ?? reply.parent_id}]: ${reply.body.replace(/\n/g, '\n  ')}`

function shownSuggestion(suggestion: Suggestion, lines: LineNumbers): string {
  const { id, original_text, suggested_text, accepted_text, note, range, status, replies = [] } = suggestion
  const where = range
    ? `, line ${lines.at(range.start)}`
    : status === 'pending'
      ? ', whose words are gone'
      : ''
  const what =
    original_text === ''
      ? `put in “${brief(suggested_text, 400)}”`
      : suggested_text === ''
        ? `take out “${brief(original_text, 400)}”`
        : `“${brief(original_text, 400)}” → “${brief(suggested_text, 400)}”`
  return [
    `- Suggestion [${id}] by ${byline(suggestion)}${where}, ${status}: ${what}`,
    ...(accepted_text === null ? [] : [`  accepted as “${brief(accepted_text, 400)}”`]),
    ...(note ? [`  Why: ${note.replace(/\n/g, '\n  ')}`] : []),
    ...replies.map((reply) => `  ↳ ${byline(reply)}: ${reply.body.replace(/\n/g, '\n    ')}`),
  ].join('\n')
}

const mostChanges = 40

/** What has become of a text, place by place. */
export function shownChanges(before: string, { changes, from, to }: RevisionChanges): string {
  if (changes.length === 0) return `Nothing in the text changed from revision ${from} to ${to}.`
  const lines = new LineNumbers(before)
  const shown = changes.slice(0, mostChanges).map(({ start, end, text }) => {
    const old = before.slice(start, end)
    const lead = before.slice(Math.max(0, start - 30), start)
    return [
      `@ line ${lines.at(start)}, after “${brief(lead, 60)}”`,
      ...(old === '' ? [] : [`- ${brief(old, 600)}`]),
      ...(text === '' ? [] : [`+ ${brief(text, 600)}`]),
    ].join('\n')
  })
  if (changes.length > mostChanges)
    shown.push(`… and ${changes.length - mostChanges} more places. Read the text to see all of it.`)
  return `What changed from revision ${from} to ${to} (lines are those of revision ${from}):\n${shown.join('\n')}`
}
