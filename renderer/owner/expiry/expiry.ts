/** How long something lasts, as it is chosen. `custom` stands for a date and time that is chosen itself. */
export type Lasting = 'never' | 'day' | 'week' | 'month' | 'custom'

export const lastings: { value: Lasting; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'In a day' },
  { value: 'week', label: 'In a week' },
  { value: 'month', label: 'In a month' },
  { value: 'custom', label: 'At a date…' },
]

/** When it ends, as the API wants it; null for never. `custom` is what a `datetime-local` field holds. */
export function expiryOf(lasting: Lasting, custom: string, now: number): string | null {
  const end = new Date(now)
  switch (lasting) {
    case 'never':
      return null
    case 'day':
      end.setDate(end.getDate() + 1)
      return end.toISOString()
    case 'week':
      end.setDate(end.getDate() + 7)
      return end.toISOString()
    case 'month':
      end.setMonth(end.getMonth() + 1)
      return end.toISOString()
    case 'custom':
      return new Date(custom).toISOString()
  }
}

/** What is wrong with a chosen end; null where nothing is. */
export function expiryProblem(lasting: Lasting, custom: string, now: number): string | null {
  if (lasting !== 'custom') return null
  const at = Date.parse(custom)
  if (Number.isNaN(at)) return 'Choose a date and a time.'
  return at <= now ? 'Choose a time that is still to come.' : null
}

/** A moment as a `datetime-local` field wants it: local, to the minute. */
export function localMinute(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
