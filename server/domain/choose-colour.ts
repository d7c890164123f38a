import { coloursOfPeople } from '../contract/colours.ts'

/** The colour of a document's owner, and of nobody else there as long as there are others. */
export const ownersColour = 0

export interface UsedColour {
  colour: number
  /** Whether other recipients may know of whoever has it. */
  isSeen: boolean
}

/**
 * A colour for somebody new: one of those that the fewest have whom all may know of, and of these that the fewest have at
 * all; by chance which. So it tells nothing of how many came before, nor of anybody who is hidden.
 */
export function chooseColour(used: readonly UsedColour[], random: () => number = Math.random): number {
  const counts = Array.from({ length: coloursOfPeople }, (_, colour) => {
    const all = used.filter((one) => one.colour === colour)
    return { colour, seen: all.filter(({ isSeen }) => isSeen).length, all: all.length }
  }).filter(({ colour }) => colour !== ownersColour)
  const least = counts.reduce((a, b) => ((b.seen - a.seen || b.all - a.all) < 0 ? b : a))
  const free = counts.filter(({ seen, all }) => seen === least.seen && all === least.all)
  return free[Math.floor(random() * free.length)]!.colour
}
