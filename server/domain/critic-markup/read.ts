import { limits } from '../../contract/limits.ts'
import type { CommentThread, SignedComment, SuggestedEdit, TextWithFeedback } from '../document-feedback.ts'
import { readComment, type Apart } from './header.ts'
import { findMarks, type FoundMark } from './marks.ts'
import { closingOf, readText, readWithin } from './signs.ts'
import { wordAt } from './word-at.ts'

/** A sign that was kept as text, and why. */
export interface KeptSign {
  /** The line of the file, from 1 on. */
  line: number
  sign: string
  why: 'unclosed' | 'nested' | 'empty' | 'no comment' | 'no middle'
}
export interface ReadFeedback extends TextWithFeedback {
  /** What looks like CriticMarkup and isn’t, in order. It stands in the text as it did in the file. */
  kept: KeptSign[]
}

/**
 * Takes apart what `writeCriticMarkup` and others write. Null where there is more than comes in at once: then no more is
 * read than tells so.
 */
export function readCriticMarkup(source: string): ReadFeedback | null {
  const found = findMarks(source, limits.importedSigns)
  if (!found) return null
  const read = new CriticMarkupReading(source).read(found)
  return countOf(read) > limits.importedFeedback ? null : read
}

const countOf = ({ threads, edits }: TextWithFeedback) =>
  threads.reduce((sum, { comments }) => sum + comments.length, 0) +
  edits.reduce((sum, { replies }) => sum + 1 + replies.length, 0)

/** An edit or a thread to which the comments that follow it right away belong. */
type CommentTarget = { edit: SuggestedEdit; named: boolean } | { thread: CommentThread }

class CriticMarkupReading {
  readonly #source: string
  /** The content in parts: put together only at the end, since a text may be long, and its marks many. */
  readonly #parts: string[] = []
  #length = 0
  /** Whether its last part stands outside of all marks. */
  #isPlain = false
  readonly #threads: CommentThread[] = []
  readonly #edits: SuggestedEdit[] = []
  readonly #kept: { at: number; sign: string; why: KeptSign['why'] }[] = []
  /** Threads that stand between words, which the whole text tells. */
  readonly #points: CommentThread[] = []
  #target: CommentTarget | null = null

  constructor(source: string) {
    this.#source = source
  }

  read({ marks, unclosed }: NonNullable<ReturnType<typeof findMarks>>): ReadFeedback {
    for (const mark of unclosed) this.#keep(mark, 'unclosed')
    // A mark that stays text is part of what stands around it.
    const taken = marks.filter((mark, index) => this.#isWhole(mark, marks[index + 1]))
    let reached = 0
    for (const mark of taken) {
      this.#addText(reached, mark.start, true)
      this.#take(mark)
      reached = mark.end
    }
    this.#addText(reached, this.#source.length, false)
    this.#kept.sort((a, b) => a.at - b.at)
    const content = this.#parts.join('')
    for (const thread of this.#points) thread.place = wordAt(content, thread.place)
    const kept = this.#withLines()
    return { content, threads: this.#threads, edits: this.#edits, kept }
  }

  /** Text outside of marks, in which those that are kept stand as they are. */
  #addText(from: number, to: number, isMarkNext: boolean) {
    if (from === to) return
    this.#add(readText(this.#source.slice(from, to), isMarkNext))
    this.#isPlain = true
    this.#target = null
  }

  #add(text: string) {
    this.#parts.push(text)
    this.#length += text.length
    this.#isPlain = false
  }

  #isWhole(mark: FoundMark, next: FoundMark | undefined): boolean {
    const why = this.#flawOf(mark, next)
    if (why) this.#keep(mark, why)
    return why === null
  }

  #flawOf(mark: FoundMark, next: FoundMark | undefined): KeptSign['why'] | null {
    if (mark.isNested) return 'nested'
    if (mark.kind === '~~') {
      if (mark.middle === null) return 'no middle'
      return mark.end - mark.start === 8 ? 'empty' : null
    }
    if (mark.end - mark.start === 6) return 'empty'
    if (mark.kind !== '==') return null
    const isSaid =
      next?.kind === '>>' && next.start === mark.end && !next.isNested && next.end - next.start > 6
    return isSaid && readComment(this.#within(next)).apart === null ? null : 'no comment'
  }

  #keep({ start, kind }: FoundMark, why: KeptSign['why']) {
    this.#kept.push({ at: start, sign: `{${kind}`, why })
  }

  #within({ kind, start, end }: FoundMark): string {
    return readWithin(this.#source.slice(start + 3, end - 3), kind, closingOf(kind))
  }

  #take(mark: FoundMark) {
    if (mark.kind === '>>') return this.#takeRemark(mark)
    const start = this.#length
    if (mark.kind === '==') {
      this.#add(this.#within(mark))
      // The comment that comes next is its first.
      const place = { start, end: this.#length }
      this.#target = { thread: { place, comments: [] as unknown as CommentThread['comments'] } }
      return
    }
    const { original, suggested } = this.#editOf(mark)
    this.#add(original)
    const place = { start, end: this.#length }
    const edit = { place, original, suggested, comment: { author: '', body: '' }, replies: [] }
    this.#edits.push(edit)
    this.#target = { edit, named: false }
  }

  #editOf(mark: FoundMark): { original: string; suggested: string } {
    const { kind, start, end, middle } = mark
    if (kind === '++') return { original: '', suggested: this.#within(mark) }
    if (kind === '--') return { original: this.#within(mark), suggested: '' }
    return {
      original: readWithin(this.#source.slice(start + 3, middle!), '~~', '~>'),
      suggested: readWithin(this.#source.slice(middle! + 2, end - 3), '~~', '~~}'),
    }
  }

  #takeRemark(mark: FoundMark) {
    const { comment, apart } = readComment(this.#within(mark))
    if (apart) return this.#takeApart(comment, apart)
    if (this.#target) return this.#addComment(this.#target, comment)
    const at = this.#length
    const thread: CommentThread = { place: { start: at, end: at }, comments: [comment] }
    this.#threads.push(thread)
    this.#points.push(thread)
    this.#target = { thread }
  }

  #addComment(target: CommentTarget, comment: SignedComment) {
    if ('edit' in target) {
      if (target.named) target.edit.replies.push(comment)
      else target.edit.comment = comment
      target.named = true
    } else {
      if (target.thread.comments.length === 0) this.#threads.push(target.thread)
      target.thread.comments.push(comment)
    }
  }

  #takeApart(comment: SignedComment, apart: Apart) {
    this.#dropParagraph()
    if (apart.kind === 'comment') {
      const thread: CommentThread = { place: apart.place, comments: [comment] }
      this.#threads.push(thread)
      this.#target = { thread }
      return
    }
    const { place, original, suggested } = apart
    const edit = { place, original, suggested, comment, replies: [] }
    this.#edits.push(edit)
    this.#target = { edit, named: true }
  }

  /** The empty line before what stands apart isn’t part of the text. */
  #dropParagraph() {
    const last = this.#isPlain ? this.#parts.pop()! : ''
    const line = /(?:\r\n\r\n|\n\n)$/.exec(last)?.[0] ?? ''
    this.#length -= last.length
    this.#add(last.slice(0, last.length - line.length))
  }

  #withLines(): KeptSign[] {
    let line = 1
    let next = this.#source.indexOf('\n')
    return this.#kept.map(({ at, sign, why }) => {
      for (; next >= 0 && next < at; next = this.#source.indexOf('\n', next + 1)) line++
      return { line, sign, why }
    })
  }
}
