/** What is drawn without being asked for: beyond, a page may stand still for seconds. */
const most = { characters: 5_000, parts: 100 }

/** How a connection begins or goes on, in each kind that has some. */
const connections = /-->?|==>?|-\.+|~~~|\.\.>?/g

/**
 * Whether drawing a diagram may take seconds, told from its source alone: by how long it is, and by how many lines and
 * connections. Where many are connected with many in one line, each with each is one.
 */
export function isHeavy(source: string): boolean {
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
