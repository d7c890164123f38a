/**
 * Which of the offered media types a request prefers (RFC 9110, section 12.5.1): by weight, then by how exactly it names
 * the type, then by what it names first. Whoever wants none of them gets the first.
 */
export function preferredType<Offered extends string>(
  accept: string | undefined,
  offered: readonly [Offered, ...Offered[]],
): Offered {
  const ranges = rangesIn(accept ?? '*/*')
  let best: { type: Offered; range: MediaRange } | undefined
  for (const type of offered) {
    const range = ranges.filter(({ name }) => matches(name, type)).toSorted(byExactness)[0]
    if (range && range.weight > 0 && (!best || byPreference(range, best.range) < 0)) best = { type, range }
  }
  return best?.type ?? offered[0]
}

interface MediaRange {
  name: string
  weight: number
  exactness: number
  at: number
}

const rangesIn = (accept: string): MediaRange[] =>
  accept.split(',').map((part, at) => {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
    const written = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    const weight = /^(0(\.\d*)?|1(\.0*)?)$/.test(written) ? Number(written) : 0
    return { name, weight, exactness: name === '*/*' ? 0 : name.endsWith('/*') ? 1 : 2, at }
  })

const matches = (name: string, type: string) =>
  name === '*/*' || name === type || (name.endsWith('/*') && type.startsWith(name.slice(0, -1)))
const byExactness = (a: MediaRange, b: MediaRange) => b.exactness - a.exactness
const byPreference = (a: MediaRange, b: MediaRange) => b.weight - a.weight || byExactness(a, b) || a.at - b.at
