import { invalid } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { authorKind } from '../domain/author-kind.ts'
import { codePointLength } from '../domain/code-points.ts'
import { tooMuchFeedback } from '../domain/critic-markup/told.ts'
import {
  isLost,
  type CommentThread,
  type FeedbackPlace,
  type SignedComment,
  type SuggestedEdit,
  type TextWithFeedback,
} from '../domain/document-feedback.ts'
import { shownName } from '../domain/shown-name.ts'
import { placeSuggestion } from '../domain/suggestion.ts'
import type { Author } from '../store/author.ts'
import type { CommentRow } from '../store/comments.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import type { Bench } from '../threads/text-work.ts'
import { searchedInOneList } from './suggestions.ts'

/** A document’s text with its pending suggestions and the threads that are open. */
export function textWithFeedback(
  { comments, suggestions }: Store,
  { number, text: { whole: content } }: DocumentRow,
): TextWithFeedback {
  const pending = suggestions.list(number, { status: 'pending' }).filter(({ hidden }) => hidden === 0)
  const answers = comments.repliesToEach(pending.map(({ id }) => id))
  const work = { left: searchedInOneList }
  const edits = pending.map((row) => ({
    ...{ original: row.original_text, suggested: row.suggested_text },
    place: placeSuggestion(content, row, work) ?? lostPlace(row),
    comment: { ...signed(row), body: row.note ?? '', at: row.created_at },
    replies: (answers.get(row.id) ?? []).filter(({ hidden }) => hidden === 0).map(commentOf),
  }))
  const all = comments.list(number).filter(({ hidden }) => hidden === 0)
  const replies = Map.groupBy(all, ({ parent_id }) => parent_id)
  const threads = all
    .filter(({ parent_id, resolved_at }) => parent_id === null && resolved_at === null)
    .map((first): CommentThread => ({
      place: threadPlace(first),
      comments: [commentOf(first), ...(replies.get(first.id) ?? []).map(commentOf)],
    }))
  return { content, threads, edits }
}

const commentOf = (row: CommentRow): SignedComment => ({ ...signed(row), body: row.body, at: row.created_at })

/** An agent with a key is called by the key’s name, as it is everywhere: its user’s is no name of its own. */
function signed(row: CommentRow | SuggestionRow): Pick<SignedComment, 'author' | 'kind' | 'colour'> {
  const kind = authorKind(row)
  const colour = row.colour === undefined ? {} : { colour: row.colour }
  if (kind === 'person') return { author: row.author_name, ...colour }
  return { author: (kind === 'agent' ? row.key_name : null) ?? row.author_name, kind, ...colour }
}

const lostPlace = ({ original_text, anchor }: SuggestionRow): FeedbackPlace => {
  const { prefix = '', suffix = '' } = anchor ?? {}
  return { exact: original_text, prefix, suffix }
}

function threadPlace({ anchor, range }: CommentRow): FeedbackPlace | null {
  if (!anchor) return null
  const { exact, prefix, suffix } = anchor
  return range ?? { exact, prefix, suffix }
}

/**
 * Inside a transaction: gives a document that was just made of `text.content` its feedback. What is in the name of the
 * account whose document it is, and not said to be another’s, is its own; all others are guests, agents or scripts.
 */
export class ReceivedFeedback {
  readonly #store: Store
  readonly #document: number
  readonly #text: TextWithFeedback
  readonly #owner: Author

  constructor(store: Store, document: number, text: TextWithFeedback, owner: Author) {
    this.#store = store
    this.#document = document
    this.#text = text
    this.#owner = owner
  }

  save() {
    for (const edit of this.#text.edits) this.#saveEdit(edit)
    for (const thread of this.#text.threads) this.#saveThread(thread)
  }

  #saveEdit({ place, original, suggested, comment, replies }: SuggestedEdit) {
    if (original === '' && suggested === '') return
    const note = comment.body.trim()
    const isNote = codePointLength(note) <= limits.noteLength
    const { id } = this.#store.suggestions.create(this.#document, this.#authorOf(comment), {
      ...{ original_text: original, suggested_text: suggested, note: isNote ? note || null : null },
      ...this.#anchored(place, original),
    })
    for (const reply of isNote ? replies : [comment, ...replies])
      this.#saveComment(reply, { suggestionId: id })
  }

  #saveThread({ place, comments }: CommentThread) {
    const [first, ...replies] = comments.filter(({ body }) => body.trim() !== '')
    if (!first) return
    const anchored = place ? this.#anchored(place, this.#wordsAt(place)) : {}
    const { id } = this.#saveComment(first, anchored)!
    for (const reply of replies) this.#saveComment(reply, { parentId: id })
  }

  #saveComment(comment: SignedComment, fields: Partial<Parameters<Store['comments']['create']>[2]>) {
    const body = comment.body.trim()
    if (body === '') return undefined
    const none = { parentId: null, anchor: null, range: null }
    return this.#store.comments.create(this.#document, this.#authorOf(comment), { ...none, ...fields, body })
  }

  #wordsAt(place: FeedbackPlace): string {
    return isLost(place) ? place.exact : this.#text.content.slice(place.start, place.end)
  }

  /** Where the words don’t stand, they are lost until they are found again. */
  #anchored(place: FeedbackPlace, words: string) {
    const { content } = this.#text
    if (isLost(place)) return { anchor: { ...place, start: 0 }, range: null }
    const isThere = place.end <= content.length && content.slice(place.start, place.end) === words
    if (!isThere) return { anchor: { exact: words, prefix: '', suffix: '', start: place.start }, range: null }
    const end = Math.min(place.end, place.start + limits.anchorLength)
    return { anchor: anchorAt(content, place.start, end), range: { ...place, end } }
  }

  #authorOf({ author, kind }: SignedComment): Author {
    const name = [...shownName(author)].slice(0, limits.authorNameLength).join('')
    const isOwn = name === this.#owner.name
    if (isOwn && kind === undefined) return this.#owner
    // What a script does is done as its user, whom an agent is told from.
    const id = isOwn && kind === 'script' ? this.#owner.id : null
    const by = kind === 'agent' || kind === 'script' ? { keyKind: kind } : {}
    return { id, name: name || 'Unknown', key: 'import', ...by }
  }
}

/**
 * A text from elsewhere, with its feedback where it is CriticMarkup.
 * @throws GalleyError VALIDATION_ERROR for feedback that is larger, or more, than any may be
 */
export function readFeedback(content: string, isMarkup: boolean | undefined, bench: Bench): TextWithFeedback {
  if (!isMarkup) return { content, threads: [], edits: [] }
  const text = bench('feedback', content)
  if (!text) throw invalid(`“content” has ${tooMuchFeedback} Divide it, or leave “feedback” away.`, 'content')
  checkSizes(text)
  return text
}

function checkSizes({ edits, threads }: TextWithFeedback) {
  const { suggestionLength, commentLength } = limits
  const fits = (text: string, most: number) => text.length <= most || codePointLength(text) <= most
  for (const { original, suggested } of edits)
    if (![original, suggested].every((words) => fits(words, suggestionLength)))
      throw invalid(
        `A suggestion in “content” is longer than ${suggestionLength.toLocaleString('en')} characters.`,
      )
  const comments = [
    ...threads.flatMap((one) => one.comments),
    ...edits.flatMap((one) => [one.comment, ...one.replies]),
  ]
  if (!comments.every(({ body }) => fits(body.trim(), commentLength)))
    throw invalid(`A comment in “content” is longer than ${commentLength.toLocaleString('en')} characters.`)
}
