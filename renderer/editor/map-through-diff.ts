import { ChangeSet } from '@codemirror/state'
import { textDiff } from '../../server/domain/diff/index.ts'

interface MappedPlace {
  from: number
  to: number
}

/** Where stretches of one text stand in another that was made from it; a stretch that is gone becomes empty. */
export function mapThroughDiff(before: string, after: string, places: MappedPlace[]): MappedPlace[] {
  if (before === after || places.length === 0) return places
  const changes = ChangeSet.of(
    textDiff(before, after).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: after.slice(fromB, toB),
    })),
    before.length,
  )
  return places.map(({ from, to }) => {
    const start = changes.mapPos(Math.min(from, before.length), 1)
    return { from: start, to: Math.max(start, changes.mapPos(Math.min(to, before.length), -1)) }
  })
}
