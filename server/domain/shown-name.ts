/**
 * A name as others may be shown it: on one line, and without what turns other words around or isn't to be seen. Half a
 * character becomes U+FFFD: what is ill-formed can't be stored, nor read by every program that it is told to.
 * Empty if nothing that can be seen is left.
 */
export function shownName(said: string): string {
  const name = said.toWellFormed().replace(turning, '').replace(breaks, ' ').replace(/ +/g, ' ').trim()
  return unseen.test(name) ? '' : name
}

/** Embeddings, overrides and isolates. The plain marks of direction stay: names may need them. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Joiners and the like stand between letters and signs; alone they are nothing. */
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]*$/u
