import type { PresentPerson } from '../../../server/contract/live.ts'
import { nameOfPresent } from '../../ui/author.ts'
import { isolated } from '../../ui/guest-name.ts'

/** Who has the document open now, in a few words; null if nobody has. Guests’ names are what they call themselves. */
export function whoIsHere(people: readonly Pick<PresentPerson, 'name' | 'kind'>[]): string | null {
  if (people.length === 0) return null
  const called = people.map((person) => nameOfPresent(person, isolated))
  const names = [...new Set(called.filter((name) => name !== null))].slice(0, 3)
  const others = called.filter((name) => name === null || !names.includes(name)).length
  const rest = others === 0 ? [] : [others === 1 ? 'one reader' : `${others} readers`]
  const all = [
    ...names,
    ...(names.length > 0 && others > 0 ? [others === 1 ? 'one other' : `${others} others`] : rest),
  ]
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)!}` : all[0]!
  return `${list.slice(0, 1).toUpperCase()}${list.slice(1)} here now`
}
