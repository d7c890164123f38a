/** What signs make of words, as cards call it. */
export type LookName = 'bold' | 'italic' | 'struck through' | 'code'

/** What becomes of the looks of words; null where they stay. */
export function looksWords(was: readonly string[], will: readonly string[]): string | null {
  const [goes, comes] = [was.filter((one) => !will.includes(one)), will.filter((one) => !was.includes(one))]
  if (comes.length === 0) return goes.length > 0 ? `Make no longer ${listed(goes)}` : null
  return `Make ${listed(comes)}${goes.length > 0 ? ` instead of ${listed(goes)}` : ''}`
}

const listed = (looks: readonly string[]) => new Intl.ListFormat('en').format(looks)
