const wordsPerMinute = 230

/** “1,204 words · 6 min”; of a selection, “34 of 1,204 words”. */
export function describeLength(words: number, selected: number | null): string {
  const all = `${words.toLocaleString()} ${words === 1 ? 'word' : 'words'}`
  if (selected !== null) return `${selected.toLocaleString()} of ${all}`
  if (words < wordsPerMinute) return all
  return `${all} · ${Math.round(words / wordsPerMinute)} min`
}
