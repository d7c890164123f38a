import type { ChangesJson } from '../../../server/domain/change-set.ts'

/**
 * A stretch of a text, and who wrote it. Where changes are being marked, also what became of it: `added`, or `removed`,
 * which is no part of the text any more, and by whom. People are numbers, which say nothing else.
 */
export interface AuthoredPiece {
  readonly text: string
  readonly author: number
  readonly mark: 'added' | 'removed' | null
  /** Who added or removed it; the same as `author` where nothing is marked. */
  readonly by: number
}

/** What somebody wrote, before anything became of it. */
export const written = (text: string, author: number): AuthoredPiece => ({
  text,
  author,
  mark: null,
  by: author,
})

/** Puts a piece behind others, as one with the last where nothing tells them apart. */
function push(pieces: AuthoredPiece[], piece: AuthoredPiece): void {
  if (piece.text === '') return
  const last = pieces.at(-1)
  if (last && last.author === piece.author && last.mark === piece.mark && last.by === piece.by)
    pieces[pieces.length - 1] = { ...last, text: last.text + piece.text }
  else pieces.push(piece)
}

/** Reads pieces from their beginning on, by lengths of the text that they make. */
class PieceReader {
  readonly #pieces: readonly AuthoredPiece[]
  #next = 0
  /** What is left of the piece that was begun. */
  #rest: AuthoredPiece | null = null

  constructor(pieces: readonly AuthoredPiece[]) {
    this.#pieces = pieces
  }

  /** Gives so many characters of the text to `use`, and what was removed before and between them. */
  read(length: number, use: (piece: AuthoredPiece) => void): void {
    for (let left = length; left > 0;) {
      const piece = this.#rest ?? this.#pieces[this.#next++]
      if (!piece) throw new RangeError('The text is shorter than the change says')
      this.#rest = null
      if (piece.mark === 'removed') use(piece)
      else if (piece.text.length <= left) {
        left -= piece.text.length
        use(piece)
      } else {
        use({ ...piece, text: piece.text.slice(0, left) })
        this.#rest = { ...piece, text: piece.text.slice(left) }
        left = 0
      }
    }
  }

  /** The removed pieces that stand here. */
  readRemoved(use: (piece: AuthoredPiece) => void): void {
    while (this.#rest === null && this.#pieces[this.#next]?.mark === 'removed')
      use(this.#pieces[this.#next++]!)
  }

  readRest(use: (piece: AuthoredPiece) => void): void {
    if (this.#rest) use(this.#rest)
    this.#rest = null
    while (this.#next < this.#pieces.length) use(this.#pieces[this.#next++]!)
  }
}

/**
 * The pieces of a text after a change by somebody. With `marked`, what they add and remove is marked, and what is removed
 * stays as a piece; what was added and is removed again is gone.
 * @throws RangeError where the change is one of another text
 */
export function changePieces(
  pieces: readonly AuthoredPiece[],
  changes: ChangesJson,
  by: number,
  marked = false,
): AuthoredPiece[] {
  const after: AuthoredPiece[] = []
  const before = new PieceReader(pieces)
  const keep = (piece: AuthoredPiece) => push(after, piece)
  const remove = (piece: AuthoredPiece) => {
    if (piece.mark === 'removed') push(after, piece)
    else if (marked && piece.mark === null) push(after, { ...piece, mark: 'removed', by })
  }
  for (const part of changes) {
    if (typeof part === 'number') before.read(part, keep)
    else {
      const [count, ...lines] = part
      before.read(count, remove)
      before.readRemoved(keep)
      const text = lines.join('\n')
      push(after, { text, author: by, mark: marked ? 'added' : null, by })
    }
  }
  let beyond = 0
  before.readRest((piece) => {
    if (piece.mark !== 'removed') beyond += piece.text.length
    keep(piece)
  })
  if (beyond > 0) throw new RangeError('The text is longer than the change says')
  return after
}

/** The same text with the same marks, written by those who wrote it in `source`, which are pieces of this very text. */
export function withAuthorsOf(
  pieces: readonly AuthoredPiece[],
  source: readonly AuthoredPiece[],
): AuthoredPiece[] {
  const authors = new PieceReader(source)
  const all: AuthoredPiece[] = []
  for (const piece of pieces) {
    if (piece.mark === 'removed') push(all, piece)
    else {
      let at = 0
      authors.read(piece.text.length, ({ text, author }) => {
        const part = piece.text.slice(at, (at += text.length))
        push(all, { text: part, author, mark: piece.mark, by: piece.mark === null ? author : piece.by })
      })
    }
  }
  return all
}

/** The text that pieces make. */
export function textOf(pieces: readonly AuthoredPiece[]): string {
  let text = ''
  for (const piece of pieces) if (piece.mark !== 'removed') text += piece.text
  return text
}

export function lengthOf(pieces: readonly AuthoredPiece[]): number {
  let length = 0
  for (const piece of pieces) if (piece.mark !== 'removed') length += piece.text.length
  return length
}
