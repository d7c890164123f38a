import { countOf, isAtEnd, isAtStart, PARAGRAPHS, type LineEnds } from './anchors/lines-after-decisions.ts'
import type { Acceptance } from './acceptance.ts'
import type { DecidedWeave } from './decided-weave.ts'
import type { PiecedText } from './pieced-text.ts'
import type { Piece, StepSplice, Weave } from './weave.ts'

/**
 * The line ends that keep words that come back apart from lines that were accepted where they had been: they belong to
 * these, and go with them.
 */
export function endsApart(
  { weave, decisions }: DecidedWeave,
  turned: Weave,
  undo: ReadonlySet<number>,
  after: PiecedText,
  acceptances: readonly Acceptance[],
): StepSplice[] {
  const lines = new Map(acceptances.map((one) => [one.id, one.lines]))
  const linesOf = ({ by }: Piece) => {
    const decision = decisions.at(by)
    const isDisplaced = decision && [...decision.displacedBy].some((step) => undo.has(step))
    return isDisplaced ? lines.get(decision.of[0]!.id) : undefined
  }
  const splices: StepSplice[] = []
  let last: Piece | null = null
  let place = 0
  for (const piece of turned.pieces) {
    if (!turned.stands(piece)) continue
    const [did, does] = [last !== null && weave.stands(last), weave.stands(piece)]
    const own = last === null || did === does ? null : does ? piece : last
    const its = own && linesOf(own)
    if (own && its && !isAtStart(after, place) && !isAtEnd(after, place)) {
      const side = does ? (gone: readonly Piece[]) => gone.length : () => 0
      splices.push({ from: place, to: place, insert: endsLike(its), step: own.by, side })
    }
    last = piece
    place += piece.length
  }
  return splices
}

function endsLike(own: LineEnds): string {
  const { before, behind } = countOf(own)
  const isCrLf = (own.before + own.behind).includes('\r\n')
  return (isCrLf ? '\r\n' : '\n').repeat(Math.min(PARAGRAPHS, Math.max(before, behind)))
}
