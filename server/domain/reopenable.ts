import type { Anchor, Range } from '../contract/records/anchors.ts'
import type { LineEnds } from './anchors/lines-after-decisions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'

/** A suggestion with what its decision did. */
export interface Reopenable {
  id: string
  status: 'accepted' | 'rejected'
  original_text: string
  /** What was put in. */
  suggested_text: string
  /** What its author suggests, where that is something else. */
  authors_text?: string
  anchor: Anchor | null
  /** Where its anchor stood when it was decided. */
  range: Range | null
  /** At which revision it was decided; null where that isn’t known any more, or its log doesn’t lead on from there. */
  revision: number | null
  /** Of lines that it puts in, as its author put them, where a decision has put others. */
  lineEnds?: LineEnds | null
  /** Where it stood before decisions that touched that. */
  takenOut?: readonly PlaceBefore[]
}
