import type { Range } from '../contract/records/anchors.ts'
import { endsOf, type LineEnds } from './anchors/lines-after-decisions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import type { ChangesJson } from './change-set.ts'

/** A suggestion that was accepted, and perhaps taken back. */
export interface Acceptance {
  id: string
  /** Of the text with it. */
  revision: number
  /** What took it back; null while it stands. */
  undoneBy: number | null
  /** How many were accepted by that revision, itself among them. */
  together: number
  /** Where it stood before, and where what it put in stood then; null where that isn’t known. */
  range: Range | null
  applied: Range | null
  /** Where it stood before the first decision that had touched it until then. */
  home?: PlaceBefore | null | undefined
  /** The line ends that its author put around it. */
  lines?: LineEnds | null
}

interface Words {
  suggested_text: string
  lineEnds?: LineEnds | null | undefined
}

/** Something that stands in the text, or did, and where that was before decisions touched it. */
export interface Noted {
  id: string
  takenOut?: readonly PlaceBefore[] | undefined
}

/** A text as it was, and all that has made it what it is. */
export interface Past {
  before: string
  /** Of that text. */
  revision: number
  log: readonly { revision: number; changes: ChangesJson }[]
  acceptances: readonly Acceptance[]
  /** In which places of texts something stood: each is asked for once. */
  noted: readonly Noted[]
  /** Of which suggestions it is asked where they stood in the text of a revision. */
  rejected: readonly { id: string; revision: number; range: Range }[]
  /** The ids of all that put something in, in the order in which they were made. */
  order: readonly string[]
}

/** The line ends around lines that a suggestion puts in, as its author put them; null of anything else. */
export function linesOf({ suggested_text, lineEnds }: Words): LineEnds | null {
  const ends = lineEnds ?? endsOf(suggested_text)
  return ends.before !== '' || ends.behind !== '' ? ends : null
}
