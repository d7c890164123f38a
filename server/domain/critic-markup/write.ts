import type { Range } from '../../contract/records/anchors.ts'
import {
  isLost,
  type CommentThread,
  type SignedComment,
  type SuggestedEdit,
  type TextWithFeedback,
} from '../document-feedback.ts'
import { writeComment, type Apart } from './header.ts'
import { closingOf, writeText, writeWithin, type MarkKind } from './signs.ts'

/** Feedback at its words: an edit, or a thread on a stretch. */
interface Standing extends Range {
  edit?: SuggestedEdit
  thread?: CommentThread
}

/**
 * A text with its feedback as CriticMarkup: each suggestion and each thread at its words. What would overlap another,
 * is about the whole text, or has lost its place, stands in paragraphs of its own behind the text. Edits have precedence.
 */
export function writeCriticMarkup({ content, threads, edits }: TextWithFeedback): string {
  const { standing, apart } = arrange(edits, threads)
  const parts: string[] = []
  let reached = 0
  for (const one of standing) {
    parts.push(writeText(content.slice(reached, one.start), true), writeStanding(content, one))
    reached = one.end
  }
  parts.push(writeText(content.slice(reached), false))
  for (const one of apart) parts.push('\n\n', writeApart(content, one))
  return parts.join('')
}

type WrittenFeedback = { edit: SuggestedEdit; thread?: never } | { thread: CommentThread; edit?: never }

function arrange(edits: readonly SuggestedEdit[], threads: readonly CommentThread[]) {
  const taken = new Taken()
  const apart: WrittenFeedback[] = []
  const place = (feedback: WrittenFeedback, range: Range | null, isFit: boolean) => {
    if (range && isFit && taken.take({ ...feedback, ...range })) return
    apart.push(feedback)
  }
  for (const edit of edits) {
    const suggestsAny = edit.original !== '' || edit.suggested !== ''
    place({ edit }, isLost(edit.place) ? null : edit.place, suggestsAny)
  }
  for (const thread of threads) {
    const range = thread.place && !isLost(thread.place) ? thread.place : null
    place({ thread }, range, range !== null && range.end > range.start)
  }
  return { standing: taken.inOrder(), apart }
}

/** Stretches of a text of which none overlaps another. What is put in at one place stands in the order it came in. */
class Taken {
  readonly #list: Standing[] = []

  take(one: Standing): boolean {
    let low = 0
    let high = this.#list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#list[middle]!, one)) low = middle + 1
      else high = middle
    }
    const before = this.#list[low - 1]
    const after = this.#list[low]
    if ((before && before.end > one.start) || (after && after.start < one.end)) return false
    this.#list.splice(low, 0, one)
    return true
  }

  inOrder = () => this.#list
}

/** What is put in stands before what begins at the same place. */
function isBefore(one: Standing, other: Standing): boolean {
  if (one.start !== other.start) return one.start < other.start
  return one.start === one.end
}

function writeStanding(content: string, { start, end, edit, thread }: Standing): string {
  if (thread) return `${mark('==', content.slice(start, end))}${comments(thread.comments)}`
  return `${writeEdit(edit!)}${comments([edit!.comment, ...edit!.replies])}`
}

function writeEdit({ original, suggested }: SuggestedEdit): string {
  if (original === '') return mark('++', suggested)
  if (suggested === '') return mark('--', original)
  return `{~~${writeWithin(original, '~~', '~>')}~>${writeWithin(suggested, '~~', '~~}')}~~}`
}

const mark = (kind: MarkKind, text: string) =>
  `{${kind}${writeWithin(text, kind, closingOf(kind))}${closingOf(kind)}`

const comments = (all: readonly SignedComment[]) => all.map((one) => mark('>>', writeComment(one))).join('')

function writeApart(content: string, { edit, thread }: WrittenFeedback): string {
  const [first, ...replies] = thread ? thread.comments : [edit.comment, ...edit.replies]
  const about: Apart = thread
    ? { kind: 'comment', place: thread.place, exact: wordsOf(content, thread) }
    : { kind: 'edit', place: edit.place, original: edit.original, suggested: edit.suggested }
  return mark('>>', writeComment(first, about)) + comments(replies)
}

function wordsOf(content: string, { place }: CommentThread): string {
  if (place === null) return ''
  return isLost(place) ? place.exact : content.slice(place.start, place.end)
}
