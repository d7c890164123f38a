import { first, Weave, type Piece } from './weave.ts'

/** So many pieces a weave has at the most for long. */
export const mostPieces = 3000

/** Without what no step of those that can still be turned has to do with. */
export function bounded(weave: Weave, steps: readonly { id: number; tidied: readonly number[] }[]): Weave {
  const own = new Set(steps.flatMap(({ id, tidied }) => [id, ...tidied]))
  // Others’ steps are known for as long as there is room.
  const isFull = weave.pieces.length > mostPieces
  const isKept = (step: number) => own.has(step) || (step < 0 && !isFull)
  const made: Piece[] = []
  let id = 0
  for (const piece of weave.pieces) {
    const stands = weave.stands(piece)
    if (!stands && !piece.by.some(isKept) && !piece.out.some((one) => own.has(one))) continue
    const by = piece.by.every(isKept) ? piece.by : [...piece.by.filter((one) => own.has(one)), first]
    const isWritten = by.includes(first) && !piece.by.includes(first) && !stands ? piece.by : by
    const out = piece.out.filter((one) => isKept(one) || !weave.undone.has(one))
    const last = made.at(-1)
    const one = { ...piece, id, by: isWritten, out }
    id += piece.length
    const isOne = last !== undefined && last.by.join() === one.by.join() && last.out.join() === one.out.join()
    if (isOne)
      made[made.length - 1] = { ...last, length: last.length + one.length, text: last.text + one.text }
    else made.push(one)
  }
  const named = new Set(made.flatMap(({ by, out }) => [...by, ...out]))
  const undone = new Set([...weave.undone].filter((one) => named.has(one) || own.has(one)))
  return Weave.made(made, undone, id)
}
