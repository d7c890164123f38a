import { ChangeMap } from '../change-map.ts'
import { textDiff } from '../diff/index.ts'

/** A change as saving a whole text makes it. */
export const saved = (before: string, after: string) => ({
  before,
  after,
  map: new ChangeMap(textDiff(before, after), before.length),
})
