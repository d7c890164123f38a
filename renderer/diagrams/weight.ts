import { kindOf } from './kind.ts'
import { maxEdges, maxSource } from './messages.ts'

/** What is drawn without being asked for: beyond, a page may stand still for seconds. */
const most = { characters: 5_000, parts: 100 }

/** How a connection begins or goes on, in each kind that has some. */
const connections = /-->?|==>?|-\.+|~~~|\.\.>?/g

/** A whole connection of a flowchart, without what is written on it. */
const arrows = /<?(?:--+[->]|==+[=>]|-\.+->?|~~~+)/
/** Names, and what is written in boxes and on connections, may look like more of them. */
const written = /"[^"]*"|%%.*|\|[^|\n]*\||\[[^[\]]*\]|\([^()]*\)|\{[^{}]*\}/g

/** Why a diagram can’t be drawn, told from its source alone: it is too large. Null if nothing is known against it. */
export function tooLarge(source: string): string | null {
  const say = (count: number) => count.toLocaleString('en-GB')
  if (source.length > maxSource) return `It is longer than ${say(maxSource)} characters.`
  if (kindOf(source) !== 'Flowchart' || leastConnections(source) <= maxEdges) return null
  return `It has more than ${say(maxEdges)} connections.`
}

/** So many connections a flowchart has at least. */
function leastConnections(source: string): number {
  let count = 0
  for (const line of source.replace(written, ' ').split(/[\n;]/)) {
    // Where what is written on a connection begins, all that is known is that there is one.
    const ends = line.split(arrows).map((end) => {
      if (end.trim() === '') return 0
      return /--|==|-\./.test(end) ? 1 : end.split('&').filter((one) => one.trim() !== '').length
    })
    for (const [i, end] of ends.slice(1).entries()) count += ends[i]! * end
  }
  return count
}

/**
 * Whether drawing a diagram may take seconds, told from its source alone: by how long it is, and by how many lines and
 * connections. Where many are connected with many in one line, each with each is one. One that is too large takes none.
 */
export const isHeavy = (source: string): boolean => mayTakeLong(source) && tooLarge(source) === null

function mayTakeLong(source: string): boolean {
  if (source.length > most.characters) return true
  let parts = 0
  for (const line of source.split(/[\n;]/)) {
    if (line.trim() === '') continue
    const ends = line.split('&').length
    const perConnection = ((ends + 1) / 2) ** 2
    parts += Math.max(1, (line.match(connections)?.length ?? 0) * perConnection)
  }
  return parts > most.parts
}

/** What is said where one waits to be asked for. */
export const heavyMessages = {
  button: 'Draw the diagram',
  note: 'It is large, so this may take some seconds.',
}
