import type { Piece, Weave } from './weave.ts'

interface Deciding {
  readonly decisions: { isDecision(step: number): boolean }
  /** Which decisions’ words were put back is noted here. */
  readonly putBack: Set<number>
}

/** With decided words that others had taken out standing again where a step of others has put the same in their place. */
export function putBack(
  weave: Weave,
  { step, said }: { step: number; said: string },
  deciding: Deciding,
): Weave {
  const { pieces } = weave
  const isOut = (piece: Piece | undefined) =>
    piece !== undefined &&
    !weave.stands(piece) &&
    deciding.decisions.isDecision(piece.by) &&
    !weave.undone.has(piece.by) &&
    !piece.taken.some((one) => deciding.decisions.isDecision(one))
  if (!pieces.some(isOut)) return weave
  const now = new Map<Piece, readonly Piece[]>()
  for (const [i, piece] of pieces.entries()) {
    if (piece.by !== step) continue
    let from = i
    while (from > 0 && !weave.stands(pieces[from - 1]!)) from--
    let to = i + 1
    while (to < pieces.length && !weave.stands(pieces[to]!)) to++
    const run = firstRun(pieces.slice(from, to), (one) => isOut(one) && !now.has(one))
    const words = run.map(({ text }) => text).join('')
    const at = words.trim() === '' ? -1 : said.slice(piece.at, piece.at + piece.length).indexOf(words)
    if (at < 0) continue
    for (const one of run) {
      deciding.putBack.add(one.by)
      now.set(one, [{ ...one, taken: [], text: '' }])
    }
    // And what these stand in the place of may come back again.
    const steps = new Set(run.map((one) => one.by))
    const replaced = pieces
      .slice(from, to)
      .filter((one) => !now.has(one) && one.taken.some((by) => steps.has(by)))
    for (const one of replaced)
      now.set(one, [{ ...one, taken: one.taken.filter((by) => deciding.decisions.isDecision(by)) }])
    // What was written before them comes before both.
    const start = pieces.slice(from, to).find((one) => one === run[0] || one === replaced[0])!
    now.set(start, [{ ...piece, length: at }, ...now.get(start)!])
    const end = at + words.length
    now.set(piece, [{ ...piece, at: piece.at + end, length: piece.length - end }])
  }
  return now.size === 0 ? weave : weave.with((piece) => now.get(piece) ?? piece)
}

/** The first that follow each other of which something is so. */
function firstRun(pieces: readonly Piece[], isSo: (piece: Piece) => boolean): readonly Piece[] {
  const from = pieces.findIndex(isSo)
  if (from < 0) return []
  const to = pieces.findIndex((piece, i) => i > from && !isSo(piece))
  return pieces.slice(from, to < 0 ? pieces.length : to)
}
