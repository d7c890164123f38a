/** What stands for cards that are folded away, each of them a suggestion or a comment. */
export function earlierCards(areSuggestions: readonly boolean[]): string {
  const count = areSuggestions.length
  const suggestions = areSuggestions.filter(Boolean).length
  if (suggestions > 0 && suggestions < count) return `${count} earlier comments and suggestions`
  const what = suggestions > 0 ? 'suggestion' : 'comment'
  return `${count} earlier ${what}${count === 1 ? '' : 's'}`
}
