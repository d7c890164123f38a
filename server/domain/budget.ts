/** How much may still be done. Steps are counted, not timed, so that the same texts are treated alike everywhere. */
export interface Budget {
  /** A unit is about a nanosecond on a machine of 2020. */
  left: number
}

/** What one change of a document may cost. */
export interface ChangeBudget {
  /** Comparing the texts. */
  diff: number
  /** Following all anchors; as much again may be spent on looking at what stands around them. */
  anchors: number
}

export const CHANGE_BUDGET: ChangeBudget = { diff: 100_000_000, anchors: 160_000_000 }
/** A guest's change may cost less: everybody waits for it. */
export const GUEST_BUDGET: ChangeBudget = { diff: 25_000_000, anchors: 12_000_000 }
