const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What says dates takes much longer to make than to use. It is made anew where somebody has travelled. */
function made<Format>(make: (locale: string | undefined) => Format) {
  const all = new Map<string, Format>()
  return (locale?: string): Format => {
    const key = `${locale} ${new Date().getTimezoneOffset()}`
    const format = all.get(key) ?? make(locale)
    all.set(key, format)
    return format
  }
}
const relative = made((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const fullDate = made((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }))

/** “just now”, “5 minutes ago”, “in 3 days”; beyond a month the date itself. */
export function relativeTime(at: string, now: number, locale?: string): string {
  return timeAway(at, now, locale) ?? new Date(at).toLocaleDateString(locale, { dateStyle: 'medium' })
}

/** The same, to be said beside the date; null where it is more than a month away. */
export function timeAway(at: string, now: number, locale?: string): string | null {
  const ms = Date.parse(at) - now
  const away = Math.abs(ms)
  const tell = relative(locale)
  // What has passed is counted in whole units; of what is to come, “in 7 days” shouldn't be 6 a moment later.
  const count = (unit: number) => (ms < 0 ? -Math.floor(away / unit) : Math.round(away / unit))
  if (away < MINUTE) return ms <= 0 ? 'just now' : 'in less than a minute'
  if (away < HOUR) return tell.format(count(MINUTE), 'minute')
  if (away < DAY) return tell.format(count(HOUR), 'hour')
  if (away < 31 * DAY) return tell.format(count(DAY), 'day')
  return null
}

/** The full date and time, where somebody is. */
export function absoluteTime(at: string, locale?: string): string {
  return fullDate(locale).format(new Date(at))
}

/** Only the time of day, where somebody is. */
export function clockTime(at: string, locale?: string): string {
  return new Date(at).toLocaleTimeString(locale, { timeStyle: 'short' })
}

/** Things in the order given, in groups of one local day each, named “Today”, “Yesterday” or by date. */
export function groupByDay<T>(
  things: readonly T[],
  instant: (thing: T) => string,
  now: number,
  locale?: string,
): { key: string; name: string; things: T[] }[] {
  const groups: { key: string; name: string; things: T[] }[] = []
  for (const thing of things) {
    const key = dayKey(new Date(instant(thing)))
    const last = groups.at(-1)
    if (last?.key === key) last.things.push(thing)
    else groups.push({ key, name: dayName(new Date(instant(thing)), now, locale), things: [thing] })
  }
  return groups
}

function dayKey(date: Date): string {
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}

/** “Today”, “Yesterday”, or the date. */
export function dayName(date: Date, now: number, locale?: string): string {
  const today = new Date(now)
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (dayKey(date) === dayKey(today)) return 'Today'
  if (dayKey(date) === dayKey(yesterday)) return 'Yesterday'
  const sameYear = date.getFullYear() === today.getFullYear()
  return date.toLocaleDateString(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
}

/** This moment as the API writes it. */
export function instantNow(): string {
  return new Date().toISOString()
}
