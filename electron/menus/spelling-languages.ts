/** A language's name in words, such as “English (United Kingdom)”, in the words of this locale. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', languageDisplay: 'standard' }).of(code) ?? code
  } catch {
    return code
  }
}

const languageOf = (code: string) => code.toLowerCase().split('-')[0]

/** The language among those available that comes nearest to what somebody prefers; undefined if none does. */
export function pickLanguage(preferred: readonly string[], available: readonly string[]): string | undefined {
  for (const wanted of preferred) {
    const same = available.find((code) => code.toLowerCase() === wanted.toLowerCase())
    const found = same ?? available.find((code) => languageOf(code) === languageOf(wanted))
    if (found !== undefined) return found
  }
  return undefined
}

/** Languages by name: first those that somebody is likely to look for, then the others. */
export function sortLanguages(
  available: readonly string[],
  likely: readonly string[],
  name: (code: string) => string,
): { near: string[]; others: string[] } {
  const languages = new Set(likely.map(languageOf))
  const sorted = available.toSorted((a, b) => name(a).localeCompare(name(b)))
  const isNear = (code: string) => languages.has(languageOf(code))
  return { near: sorted.filter(isNear), others: sorted.filter((code) => !isNear(code)) }
}
