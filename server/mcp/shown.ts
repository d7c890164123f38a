import { limits } from '../contract/limits.ts'
import type { DoneBy } from '../contract/records/authors.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { RevisionChanges } from '../contract/records/versions.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import { byline } from '../domain/byline.ts'
import { brief, cited } from './brief.ts'
import { LineNumbers } from './line-numbers.ts'

/** So much of a text is shown unless more is asked for. */
export const usualCharacters = 20_000

/** What a document is called, in one line. */
export const titleOf = ({ title }: { title: string }) => brief(title, limits.titleLength) || 'Untitled'

/** A document in the words of an answer: whoever named it can't say anything else with that. */
export const named = (one: { title: string; id: string }) => `${cited(titleOf(one))} [${one.id}]`

/**
 * What somebody wrote, each line behind a sign that no other line of an answer begins with: so nothing in it passes for
 * what Galley says, or for what somebody else wrote.
 */
export const quoted = (text: string, indent = '  ') =>
  text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `${indent}> ${line}`)
    .join('\n')

/** The same of a stretch of text, of which the beginning is enough. */
function quotedStart(text: string): string {
  const most = 600
  const rest = text.length - most
  return rest <= 0
    ? quoted(text)
    : `${quoted(text.slice(0, most).toWellFormed())}\n  (and ${rest} characters more)`
}

/** What people and agents have said about a text, in the order of their places. */
export function shownFeedback(
  lines: LineNumbers,
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

/** Whether the document’s owner has hidden whoever wrote it, which nobody else is told. */
const ifHidden = ({ hidden }: { hidden?: true }) => (hidden ? ', hidden' : '')

const shownDoer = (by: DoneBy | undefined) => (by ? ` by ${byline(by)}` : '')

function shownThread(comment: Comment, lines: LineNumbers, replies: readonly Comment[]): string {
  const { id, anchor, range, body, resolved_at, resolved_by } = comment
  const where = !anchor
    ? 'on the whole text'
    : range
      ? `line ${lines.at(range.start)}, on ${cited(anchor.exact)}`
      : `on ${cited(anchor.exact)}, which is gone`
  const state = `${resolved_at === null ? '' : `, resolved${shownDoer(resolved_by)}`}${ifHidden(comment)}`
  return [
    `- Comment [${id}] by ${byline(comment)}, ${where}${state}:`,
    quoted(body),
    ...replies.map(shownAnswer),
  ].join('\n')
}

const shownAnswer = (reply: Comment) =>
  `  ↳ ${byline(reply)}${ifHidden(reply)}:\n${quoted(reply.body, '    ')}`

const shownReply = (reply: Comment) =>
  `- Reply by ${byline(reply)} to [${reply.suggestion_id ?? reply.parent_id}]${ifHidden(reply)}:\n${quoted(reply.body)}`

function shownSuggestion(suggestion: Suggestion, lines: LineNumbers): string {
  const {
    id,
    original_text,
    suggested_text,
    accepted_text,
    note,
    range,
    status,
    edited_at,
    replies = [],
  } = suggestion
  const where = range
    ? `, line ${lines.at(range.start)}`
    : status === 'pending'
      ? ', whose words are gone'
      : ''
  return [
    `- Suggestion [${id}] by ${byline(suggestion)}${where}, ${status}${shownDoer(suggestion.resolved_by)}${ifHidden(suggestion)}${edited_at === null ? '' : `, edited_at ${edited_at}`}:`,
    ...(original_text === '' ? ['  put in:'] : [suggested_text === '' ? '  take out:' : '  instead of:']),
    ...(original_text === '' ? [] : [quotedStart(original_text)]),
    ...(original_text === '' || suggested_text === '' ? [] : ['  put:']),
    ...(suggested_text === '' ? [] : [quotedStart(suggested_text)]),
    ...(accepted_text === null ? [] : ['  accepted as:', quotedStart(accepted_text)]),
    ...(note ? ['  why:', quoted(note)] : []),
    ...replies.map(shownAnswer),
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
      `@ line ${lines.at(start)}, after ${cited(lead, 60)}`,
      ...(old === '' ? [] : [`- ${brief(old, 600)}`]),
      ...(text === '' ? [] : [`+ ${brief(text, 600)}`]),
    ].join('\n')
  })
  if (changes.length > mostChanges)
    shown.push(`… and ${changes.length - mostChanges} more places. Read the text to see all of it.`)
  return `What changed from revision ${from} to ${to} (lines are those of revision ${from}):\n${shown.join('\n')}`
}
