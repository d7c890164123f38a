import type { ChangeSet } from '@codemirror/state'
import { invalid } from '../contract/errors.ts'
import { contentHash } from './content-hash.ts'
import { joinedCrc32, shiftBy } from './joined-crc32.ts'

/** A text that parts can be read of, or all. */
export type Readable = Pick<string, 'length' | 'slice' | 'toString'>

/** How long pieces are, in UTF-16 units; the only one of a short text, and the last one, may be shorter. */
const size = { least: 4 * 1024, usual: 16 * 1024, most: 32 * 1024 }

class TextPiece {
  readonly text: string
  #known: { hash: number; bytes: number; shift: number } | null

  /** @param same one of the same text */
  constructor(text: string, same?: TextPiece) {
    this.text = text
    this.#known = same ? same.#known : null
  }

  /** Its hash, how long it is in UTF-8, and what moves another’s hash past it. */
  get sum() {
    if (this.#known) return this.#known
    const bytes = utf8Length(this.text)
    return (this.#known = { hash: contentHash(this.text), bytes, shift: shiftBy(bytes) })
  }
}

/**
 * A text in pieces, so that a change of it, its hash and its size cost what is changed, and not what is there: texts
 * share the pieces that are the same. No piece ends within a surrogate pair.
 */
export class PiecedText implements Readable {
  readonly length: number
  #pieces: readonly TextPiece[]
  #whole: string | null
  #hash: number | undefined

  private constructor(pieces: readonly TextPiece[], length: number, whole: string | null) {
    this.#pieces = pieces
    this.length = length
    this.#whole = whole
  }

  /** @param hash `contentHash` of the text, where that is known */
  static of(text: string | PiecedText, hash?: number): PiecedText {
    if (typeof text !== 'string') return text
    const pieced = new PiecedText(inPieces(text), text.length, text)
    pieced.#hash = hash
    return pieced
  }

  /** `contentHash` of all of it. */
  get hash(): number {
    return (this.#hash ??= this.#pieces.reduce(
      (before, { sum: { hash, shift } }) => joinedCrc32(before, hash, shift),
      contentHash(''),
    ))
  }

  /** In UTF-8. */
  get bytes(): number {
    return this.#pieces.reduce((all, { sum }) => all + sum.bytes, 0)
  }

  /** All of it, which is put together once. */
  get whole(): string {
    if (this.#whole === null) {
      const whole = this.#pieces.map(({ text }) => text).join('')
      let at = 0
      // As parts of the whole, so that nothing is in memory twice.
      this.#pieces = this.#pieces.map((one) => new TextPiece(whole.slice(at, (at += one.text.length)), one))
      this.#whole = whole
    }
    return this.#whole
  }

  toString(): string {
    return this.whole
  }

  /** As `slice` of a string. */
  slice(from = 0, to = this.length): string {
    if (this.#whole !== null) return this.#whole.slice(from, to)
    const place = (at: number) => Math.min(Math.max(at < 0 ? at + this.length : at, 0), this.length)
    const [start, end] = [place(from), place(to)]
    let part = ''
    let at = 0
    for (const { text } of this.#pieces) {
      if (at >= end) break
      if (at + text.length > start) part += text.slice(Math.max(0, start - at), end - at)
      at += text.length
    }
    return part
  }

  equals(other: PiecedText): boolean {
    if (this === other) return true
    return this.length === other.length && this.hash === other.hash && this.whole === other.whole
  }

  /**
   * The text after a change.
   * @throws GalleyError where that was made for a text of another length or would leave half a surrogate pair
   */
  changed(changes: ChangeSet): PiecedText {
    if (changes.length !== this.length) {
      throw invalid(`The changes are for a text of ${changes.length} characters; this one has ${this.length}`)
    }
    const pieces = new Pieces(this.#pieces)
    const seams: number[] = []
    let isWhole = true
    changes.iterChanges((from, to, fromB, toB, inserted) => {
      const text = inserted.toString()
      isWhole &&= text.isWellFormed()
      pieces.replace(from, to, text)
      seams.push(fromB, toB)
    })
    const after = new PiecedText(pieces.all(), changes.newLength, null)
    if (
      !isWhole ||
      seams.some((seam) => halvesPair(after.slice(Math.max(0, seam - 1), seam), after.slice(seam, seam + 1)))
    )
      throw invalid('The changes would leave half of a surrogate pair')
    return after
  }
}

/** The pieces that a change leaves and makes, from the first to the last. */
class Pieces {
  readonly #before: readonly TextPiece[]
  readonly #after: TextPiece[] = []
  /** The next that is read, where it begins, and how far the text before was read. */
  #next = 0
  #start = 0
  #at = 0
  /** What is no piece yet. */
  #open = ''

  constructor(before: readonly TextPiece[]) {
    this.#before = before
  }

  /** Places are of the text before, and come in order. */
  replace(from: number, to: number, text: string): void {
    this.#readTo(from, true)
    this.#open += text
    this.#readTo(to, false)
  }

  all(): readonly TextPiece[] {
    this.#readTo(Infinity, true)
    this.#close()
    return this.#after
  }

  #readTo(end: number, isKept: boolean): void {
    for (let piece; this.#at < end && (piece = this.#before[this.#next]);) {
      const from = this.#at - this.#start
      const to = Math.min(piece.text.length, end - this.#start)
      if (isKept) this.#keep(piece, from, to)
      this.#at = this.#start + to
      if (to < piece.text.length) return
      this.#start = this.#at
      this.#next++
    }
  }

  #keep(piece: TextPiece, from: number, to: number): void {
    const isAll = from === 0 && to === piece.text.length
    if (isAll && (this.#open === '' || this.#open.length >= size.least)) this.#close()
    const last = this.#after.at(-1)?.text ?? ''
    // What stood between the halves of a pair was taken out.
    if (this.#open === '' && isPair(last.slice(-1), piece.text.slice(from, from + 1))) {
      this.#after.pop()
      this.#open = last
    }
    if (isAll && this.#open === '') this.#after.push(piece)
    else this.#open += piece.text.slice(from, to)
  }

  #close(): void {
    if (this.#open !== '') this.#after.push(...inPieces(this.#open))
    this.#open = ''
  }
}

function inPieces(text: string): TextPiece[] {
  if (text.length <= size.most) return text === '' ? [] : [new TextPiece(text)]
  const pieces: TextPiece[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + size.usual, text.length)
    if (isPair(text.slice(end - 1, end), text.slice(end, end + 1))) end++
    pieces.push(new TextPiece(text.slice(at, end)))
    at = end
  }
  return pieces
}

const isHigh = (unit: string) => (unit.charCodeAt(0) & 0xfc00) === 0xd800
const isLow = (unit: string) => (unit.charCodeAt(0) & 0xfc00) === 0xdc00
const isPair = (before: string, after: string) => isHigh(before) && isLow(after)
const halvesPair = (before: string, after: string) => isHigh(before) !== isLow(after)

/** A half of a pair counts as what an encoder puts instead. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // Two units, four bytes.
    if (isHigh(text[i]!) && i + 1 < text.length && isLow(text[i + 1]!)) i++
  }
  return bytes
}
