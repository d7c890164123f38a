import {
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  DeletedTextRun,
  ExternalHyperlink,
  InsertedTextRun,
  TextRun,
  type IRunOptions,
  type ParagraphChild,
} from 'docx'
import { meet, spanOfBreak, spanOfEnd } from '../../domain/line-spans.ts'
import { readReferences } from '../../markdown/entities.ts'
import { mono, type RunFormat } from './word-styles.ts'
import type { BlockMarks, Put, Taken, TrackedChange } from './word-marks.ts'

type Runs = ParagraphChild[]

/** What of a text no Word file may hold. */
export const wellFormed = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are what XML can't hold
  text.toWellFormed().replace(/[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')

/** Writes words as runs, with the comments and tracked changes that stand at them. */
export class WordText {
  #marks: BlockMarks | null = null
  #char = 0
  #nextTaken = 0
  #changes = 1
  /** Of the paragraph that is being written. */
  runs: Runs = []
  /** What the paragraph that is being written ends with; undefined before it has anything. */
  #last: Taken | null | undefined
  /** All of the row that is being written; undefined before it has anything. */
  #row: Taken | null | undefined
  /** What a block comes or goes with that has no character. */
  #bare: Taken | null = null
  #link: { href: string; runs: Runs } | null = null

  /** Begins a block, whose characters are counted from its beginning; `bare` is what it comes or goes with if it has none. */
  begin(marks: BlockMarks | undefined, bare: Taken | null): void {
    this.#marks = marks ?? null
    this.#bare = bare
    this.#char = 0
    this.#nextTaken = 0
  }

  add(...children: Runs): void {
    ;(this.#link?.runs ?? this.runs).push(...children)
  }

  /** Writes what is in a link as a link, as far as it leads somewhere. */
  inLink(href: string, write: () => void): void {
    if (this.#link || !/^(?:https?|mailto):/i.test(href)) return write()
    const link = (this.#link = { href, runs: [] as Runs })
    write()
    this.#link = null
    if (link.runs.length > 0)
      this.runs.push(new ExternalHyperlink({ link: wellFormed(href), children: link.runs }))
  }

  /** Writes a row of a table: with which lines all of it comes or goes. */
  inRow(write: () => void): Taken | null {
    this.#row = undefined
    write()
    const all = this.#row as Taken | null | undefined
    return all?.lines ? all : null
  }

  /** Ends a paragraph: with which lines its end comes or goes. */
  endParagraph(): Taken | null {
    const last = this.#last ?? null
    this.#last = undefined
    return spanOfEnd(last?.lines ?? null, !!last && (last.goesOn || last.to > this.#char)) ? last : null
  }

  /** What a break, picture or rule comes or goes with, which is no character. */
  beside(): Taken | null {
    const taken = this.#bare ?? (this.#last === undefined ? this.#takenAt(this.#char) : this.#last)
    return taken?.lines ? taken : null
  }

  /** A change by itself, which has a number. */
  tracked = (change: TrackedChange) => ({ ...named(change), id: this.#changes++ })

  /** The same, as what the change does. */
  change = (taken: Taken | null) =>
    taken && { [doesCome(taken) ? 'insertion' : 'deletion']: this.tracked(taken.change) }

  /** What has no words of its own. */
  sign(options: IRunOptions, taken = this.beside()): void {
    this.met(taken)
    this.add(this.#runOf(options, taken))
  }

  #runOf(options: IRunOptions, taken: Taken | null) {
    if (!taken) return new TextRun(options)
    const tracked = { ...options, ...this.tracked(taken.change) }
    return doesCome(taken) ? new InsertedTextRun(tracked) : new DeletedTextRun(tracked)
  }

  /** Notes what the paragraph goes on with. */
  met(taken: Taken | null): void {
    const last = this.#last?.lines ?? null
    if (taken?.lines) meet(taken.lines, last, this.#last === undefined)
    this.#last = taken
    this.#row = this.#row === undefined || this.#row?.lines === taken?.lines ? taken : null
  }

  /** With which lines a line end comes or goes between what was written last and what is next. */
  #ofBreak(next: Taken | null): Taken | null {
    const last = this.#last ?? null
    const span = spanOfBreak(last?.lines ?? null, next?.lines ?? null)
    return span && (span === next?.lines ? next : last)
  }

  comment(ids: readonly number[], side: 'start' | 'end'): void {
    for (const id of ids)
      if (side === 'start') this.add(new CommentRangeStart(id))
      else this.add(new CommentRangeEnd(id), new TextRun({ children: [new CommentReference(id)] }))
  }

  /** Words as they stand in the block; line ends in them are kept if `isCode`. */
  write(words: string, format: RunFormat, isCode = false): void {
    let run = ''
    let change: Taken | null = null
    const flush = () => {
      if (run !== '') this.#run(run, format, change)
      run = ''
    }
    const pieces = isCode ? words.match(/[\s\S]/gu) : words.replace(/\s+/g, ' ').match(/[\s\S]/gu)
    for (const one of pieces ?? []) {
      if (/\s/.test(one)) {
        const next = this.#takenAt(this.#char)
        if (next?.lines || this.#last?.lines) {
          // What begins a line of code is the line’s.
          const isOfNext = next === this.#last || (isCode && one !== '\n')
          const owner = isOfNext ? next : this.#ofBreak(next)
          if (owner !== change) flush()
          change = owner
          run += one
          continue
        }
        // White space belongs to what is taken out on both sides of it.
        if (change && this.#takenAt(this.#char) !== change) {
          if (change.takesSpace) this.#run(run + one, format, change)
          else flush()
          if (change.takesSpace) run = ''
          else run = one
          change = null
        } else run += one
        continue
      }
      const taken = this.#takenAt(this.#char)
      if (taken !== change || this.#hasMarkBefore()) {
        flush()
        change = taken
      }
      this.#before(format)
      this.met(taken)
      run += one
      this.#char += one.length
      if (!this.#hasMarkBehind(one.length)) continue
      flush()
      this.#behind(format, one.length)
    }
    flush()
  }

  /** What shows as something else than its characters. */
  instead(said: string, format: RunFormat, length: number): void {
    const end = this.#char + length
    const taken = this.#takenAt(this.#char)
    this.#before(format)
    this.met(taken)
    if (said !== '') this.#run(said, format, taken)
    for (; this.#char < end; this.#char++) if (this.#hasMarkBehind(0)) this.#behind(format, 0)
  }

  #takenAt(char: number): Taken | null {
    const taken = this.#marks?.taken ?? []
    while (this.#nextTaken < taken.length && taken[this.#nextTaken]!.to <= char) this.#nextTaken++
    const next = taken[this.#nextTaken]
    return next && next.from <= char ? next : null
  }

  #hasMarkBefore = () =>
    !!this.#marks && (this.#marks.starts.has(this.#char) || this.#marks.putBefore.has(this.#char))

  #before(format: RunFormat): void {
    if (!this.#marks) return
    for (const put of this.#marks.putBefore.get(this.#char) ?? []) this.#put(put, format)
    this.comment(this.#marks.starts.get(this.#char) ?? [], 'start')
  }

  /** Of a character of two units, and of what is skipped, marks may stand at each. */
  #placesBehind = (length: number) =>
    length === 0 ? [this.#char] : length === 1 ? [this.#char - 1] : [this.#char - 2, this.#char - 1]

  #hasMarkBehind = (length: number) =>
    !!this.#marks &&
    this.#placesBehind(length).some((at) => this.#marks!.ends.has(at) || this.#marks!.putBehind.has(at))

  #behind(format: RunFormat, length: number): void {
    for (const at of this.#placesBehind(length)) {
      for (const put of this.#marks!.putBehind.get(at) ?? []) this.#put(put, format)
      this.comment(this.#marks!.ends.get(at) ?? [], 'end')
    }
  }

  #put({ text, change }: Put, format: RunFormat): void {
    this.met(null)
    this.#lines(format.font === mono.font ? text : readReferences(text), (line, isNew) =>
      this.add(new InsertedTextRun({ ...format, ...lineOf(line, isNew), ...this.tracked(change) })),
    )
  }

  #run(text: string, format: RunFormat, taken: Taken | null): void {
    this.#lines(text, (line, isNew) => this.add(this.#runOf({ ...format, ...lineOf(line, isNew) }, taken)))
  }

  #lines(text: string, write: (line: string, isNew: boolean) => void): void {
    for (const [i, line] of text.split(/\r?\n/).entries()) if (i > 0 || line !== '') write(line, i > 0)
  }
}

const lineOf = (line: string, isNew: boolean) => ({ text: wellFormed(line), ...(isNew ? { break: 1 } : {}) })
const doesCome = ({ lines }: Taken) => lines?.does === 'comes'
const named = ({ author, date }: TrackedChange) => ({ author: wellFormed(author), date })
