const day = 24 * 60 * 60 * 1000

/** What happens to what is in the trash by itself. */
export const keepingWords = (days: number | null): string =>
  days === null
    ? 'Documents stay here until you restore them or delete them for good.'
    : `Documents stay here for ${days === 1 ? 'a day' : `${days} days`}, and are then deleted for good.`

/** How long one of them has left; empty where there is no end to it. */
export function leftWords(deletedAt: string, days: number | null, now: number): string {
  if (days === null) return ''
  const left = Math.ceil((Date.parse(deletedAt) + days * day - now) / day)
  if (left <= 0) return 'about to go'
  return left === 1 ? '1 day left' : `${left} days left`
}

/** What can be chosen, in the settings. */
export const keepingChoices: readonly { days: number | null; label: string }[] = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'A year' },
  { days: null, label: 'Until I empty it' },
]
