import { GalleyError } from '../contract/errors.ts'

/** Who holds a place: by which credential, and of which account that is. */
export interface PlaceHolder {
  credential: string
  account: string
}

interface MostPlaces {
  /** By one credential, so that one key doesn’t shut out the others of its account. */
  each: number
  account: number
  inAll: number
  /** What is said where there is none left. */
  refusal: string
}

/** What only so many may hold open at one time. */
export class HeldPlaces {
  readonly #held = new Set<PlaceHolder>()
  readonly #most: MostPlaces

  constructor(most: MostPlaces) {
    this.#most = most
  }

  /**
   * @returns what gives the place back
   * @throws GalleyError RATE_LIMITED
   */
  take(holder: PlaceHolder): () => void {
    const all = [...this.#held]
    const theirs = all.filter(({ credential }) => credential === holder.credential).length
    const ofAccount = all.filter(({ account }) => account === holder.account).length
    const { each, account, inAll, refusal } = this.#most
    if (theirs >= each || ofAccount >= account || all.length >= inAll)
      throw new GalleyError('RATE_LIMITED', refusal, { retryAfter: 5 })
    const one = { ...holder }
    this.#held.add(one)
    return () => void this.#held.delete(one)
  }
}
