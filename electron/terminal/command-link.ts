import { lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import type { CommandPlace } from './command-place.ts'

/** What stands where the command would be: a link to this Galley or another, nothing, or something that isn’t ours. */
export type CommandLink =
  { is: 'own' } | { is: 'absent' } | { is: 'other-galley'; target: string } | { is: 'foreign' }

type Spot = Pick<CommandPlace, 'link' | 'target' | 'isGalley'>

export function findLink({ link, target, isGalley }: Spot): CommandLink {
  const found = readLink(link)
  if (found === undefined) return { is: 'absent' }
  if (found === null) return { is: 'foreign' }
  if (found === target) return { is: 'own' }
  return isGalley(found) ? { is: 'other-galley', target: found } : { is: 'foreign' }
}

/** What a link leads to; null for what is no link, undefined where nothing is. */
function readLink(file: string): string | null | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat && (stat.isSymbolicLink() ? readlinkSync(file) : null)
}

/**
 * Makes the link, in the place of one to another Galley. What isn’t ours stays.
 * @throws for what isn’t ours, and where this account may not
 */
export function putLink(place: Spot): void {
  const now = findLink(place)
  if (now.is === 'own') return
  mkdirSync(path.dirname(place.link), { recursive: true })
  takeAway(place, now)
  symlinkSync(place.target, place.link)
}

/** Takes the link away, if it leads to a Galley. @throws as `putLink` does */
export function removeLink(place: Spot): void {
  takeAway(place, findLink(place))
}

function takeAway({ link }: Spot, { is }: CommandLink): void {
  if (is === 'foreign') throw new Error(`${link} is something else’s, so Galley left it as it is.`)
  if (is !== 'absent') unlinkSync(link)
}
