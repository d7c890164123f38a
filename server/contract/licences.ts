/** A package that is a part of Galley, and what its authors want to be said of it. */
export interface ThirdParty {
  name: string
  version: string
  /** As an SPDX expression. */
  licence: string
  /** Where it is made, if it says so. */
  homepage: string | null
  /** The licence in full, with whose it is. */
  text: string
}
