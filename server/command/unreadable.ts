import { GalleyError } from '../contract/errors.ts'
import { shownName } from '../domain/shown-name.ts'
import { isDamage } from '../store/database-trouble.ts'
import type { CommandChannel } from './channel.ts'

/** Whether something can't be read since what is kept of it is damaged: the rest goes on. */
export const isUnreadable = (error: unknown) =>
  isDamage(error) || (error instanceof GalleyError && error.code === 'DB_ERROR')

/** By which a person knows a document, as far as that can still be read. */
export function nameOfDamaged(channel: CommandChannel, id: string): string {
  const title = channel.titleOf(id)
  return title === undefined ? `document ${id}` : `${shownName(title)} (${id})`
}

export const whatHelps = '“galley check” says since when; “galley restore FILE” brings back a backup.'
