import { CommandError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

/**
 * The record that a person names, by its id, the beginning of that, or in another way.
 * @throws CommandError if there is none, or more than one
 */
export function oneOf<Named extends { id: string }>(
  what: string,
  all: readonly Named[],
  named: string,
  isCalled: (one: Named) => boolean = () => false,
): Named {
  const byId = all.filter(({ id }) => id === named.toLowerCase())
  const called = byId.length > 0 ? byId : all.filter(isCalled)
  const isBeginning = /^[0-9a-f]{4,8}(-[0-9a-f-]*)?$/i.test(named)
  const found =
    called.length > 0 || !isBeginning ? called : all.filter(({ id }) => id.startsWith(named.toLowerCase()))
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new CommandError(`There is no ${what} “${named}” on this document.`, exitCodes.notFound.code)
  const ids = found.slice(0, 5).map(({ id }) => id)
  throw new CommandError(`“${named}” could be any of ${found.length}; name one by id: ${ids.join(', ')}.`)
}
