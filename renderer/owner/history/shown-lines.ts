import type { AuthoredPiece } from './authorship.ts'

/** A stretch of a line that is drawn in one way. */
export interface LineSegment {
  text: string
  mark: AuthoredPiece['mark']
  /** Whose words are told apart here; null where nobody’s are. */
  author: number | null
  by: number
}
export interface Line {
  segments: LineSegment[]
  /** Two lines of the same key are drawn the same. */
  key: string
}

/** Whose words are coloured: nobody’s, everybody’s, or one person’s. */
export type ColouredAuthors = 'none' | 'all' | number

/** One person’s words alone, or everybody’s again where that is so already. */
export const toggled = (colours: ColouredAuthors, author: number): ColouredAuthors =>
  colours === author ? 'all' : author

/** A text as it is drawn, line by line. What was removed stands in the line where it was, with its line breaks. */
export function linesOf(pieces: readonly AuthoredPiece[], colours: ColouredAuthors): Line[] {
  const lines: Line[] = []
  let segments: LineSegment[] = []
  let key = ''
  const add = (text: string, { mark, author: writer, by: maker }: AuthoredPiece) => {
    if (text === '') return
    const author = colours === 'all' || colours === writer ? writer : null
    const by = mark === null ? -1 : maker
    const last = segments.at(-1)
    if (last && last.mark === mark && last.author === author && last.by === by) last.text += text
    else {
      segments.push({ text, mark, author, by })
      key += `\0${mark ?? ''} ${author} ${by}\0`
    }
    key += text
  }
  const end = () => {
    lines.push({ segments, key })
    segments = []
    key = ''
  }
  for (const piece of pieces) {
    if (piece.mark === 'removed') add(piece.text, piece)
    else {
      let at = 0
      for (let next = piece.text.indexOf('\n'); next >= 0; next = piece.text.indexOf('\n', at)) {
        add(piece.text.slice(at, next), piece)
        // A line break that is new would not be seen.
        if (piece.mark === 'added') add('\n', piece)
        end()
        at = next + 1
      }
      add(piece.text.slice(at), piece)
    }
  }
  end()
  return lines
}
