import { day } from '../contract/durations.ts'

const pad = (value: number, width: number) => String(value).padStart(width, '0')
const hours = Array.from({ length: 24 }, (_, hour) => `T${pad(hour, 2)}:`)
const two = Array.from({ length: 60 }, (_, value) => pad(value, 2))
const three = Array.from({ length: 1000 }, (_, value) => pad(value, 3))

let lastDay = NaN
let lastDate = ''

/**
 * ISO 8601 in UTC with milliseconds and `Z`, of milliseconds since 1970: what `Date.toISOString` answers. A list of
 * fifty documents has a hundred times, and `toISOString` would take longer than all the rest of it.
 */
export function instant(ms: number): string {
  const at = Math.floor(ms / day)
  if (at !== lastDay) {
    lastDate = new Date(at * day).toISOString().slice(0, -'T00:00:00.000Z'.length)
    lastDay = at
  }
  const rest = ms - at * day
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${lastDate}${hours[Math.floor(minutes / 60)]!}${two[minutes % 60]!}:${two[seconds % 60]!}.${three[rest % 1000]!}Z`
}
