/** How much may still be done. Work is counted, not timed, so that the same texts are treated alike everywhere. */
export interface Work {
  /** A unit is about a nanosecond on a machine of 2020. */
  left: number
}
