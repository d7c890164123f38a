import { day } from '../contract/durations.ts'
import { UsageError } from './command.ts'

export const expiresHelp: [string, string] = [
  '--expires WHEN',
  'when it stops working: a day or time such as 2030-01-31 or 2030-01-31T12:00:00Z, or in how many days, such as 30d',
]

/**
 * When something made now stops working, as the API takes it.
 * @throws UsageError
 */
export function expiryFrom(when: string): string {
  const days = /^(\d{1,5})d$/.exec(when)?.[1]
  const written = /^\d{4}-\d\d-\d\d/.test(when) ? Date.parse(when) : NaN
  const at = days === undefined ? written : Date.now() + Number(days) * day
  if (Number.isNaN(at))
    throw new UsageError(
      '--expires is a day or time such as 2030-01-31 or 2030-01-31T12:00:00Z, or in how many days, such as 30d.',
    )
  if (days === '0' || at <= Date.now())
    throw new UsageError(`--expires must be in the future; “${when}” isn’t.`)
  return new Date(at).toISOString()
}
