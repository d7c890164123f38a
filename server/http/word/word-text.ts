import {
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  DeletedTextRun,
  ExternalHyperlink,
  InsertedTextRun,
  TextRun,
  type ParagraphChild,
} from 'docx'
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
  /** New rows for the table that is being written, of which some stand in the row. */
  #rows: { before: Put[]; behind: Put[] } | null = null
  #link: { href: string; runs: Runs } | null = null

  /** Begins a block, whose characters are counted from its beginning. */
  begin(marks: BlockMarks | undefined): void {
    this.#marks = marks ?? null
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

  /** Writes a row of a table: whether it goes, and which come before and behind it. */
  inRow(write: () => void): { goes: TrackedChange | null; before: Put[]; behind: Put[] } {
    const [outer, start] = [this.#rows, this.#char]
    const here = (this.#rows = { before: [] as Put[], behind: [] as Put[] })
    write()
    this.#rows = outer
    const goes = this.#marks?.taken.find((one) => one.isRows && one.from <= start && one.to >= this.#char)
    return { goes: (this.#char > start && goes?.change) || null, ...here }
  }

  /** A change by itself, which has a number. */
  tracked = (change: TrackedChange) => ({ ...named(change), id: this.#changes++ })

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
      if (run !== '') this.#run(run, format, change?.change ?? null)
      run = ''
    }
    const pieces = isCode ? words.match(/[\s\S]/gu) : words.replace(/\s+/g, ' ').match(/[\s\S]/gu)
    for (const one of pieces ?? []) {
      if (/\s/.test(one)) {
        // White space belongs to what is taken out on both sides of it.
        if (change && this.#takenAt(this.#char) !== change) {
          if (change.takesSpace) this.#run(run + one, format, change.change)
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
    const change = this.#takenAt(this.#char)?.change ?? null
    this.#before(format)
    if (said !== '') this.#run(said, format, change)
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
    for (const put of this.#marks.putBefore.get(this.#char) ?? [])
      if (put.rows && this.#rows) this.#rows.before.push(put)
      else this.put(put.text, format, put.change)
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
      for (const put of this.#marks!.putBehind.get(at) ?? [])
        if (put.rows && this.#rows) this.#rows.behind.push(put)
        else this.put(put.text, format, put.change)
      this.comment(this.#marks!.ends.get(at) ?? [], 'end')
    }
  }

  put(text: string, format: RunFormat, change: TrackedChange): void {
    this.#lines(format.font === mono.font ? text : readReferences(text), (line, isNew) =>
      this.add(new InsertedTextRun({ ...format, ...lineOf(line, isNew), ...this.tracked(change) })),
    )
  }

  #run(text: string, format: RunFormat, change: TrackedChange | null): void {
    this.#lines(text, (line, isNew) => {
      const options = { ...format, ...lineOf(line, isNew) }
      this.add(change ? new DeletedTextRun({ ...options, ...this.tracked(change) }) : new TextRun(options))
    })
  }

  #lines(text: string, write: (line: string, isNew: boolean) => void): void {
    for (const [i, line] of text.split(/\r?\n/).entries()) if (i > 0 || line !== '') write(line, i > 0)
  }
}

const lineOf = (line: string, isNew: boolean) => ({ text: wellFormed(line), ...(isNew ? { break: 1 } : {}) })
const named = ({ author, date }: TrackedChange) => ({ author: wellFormed(author), date })
