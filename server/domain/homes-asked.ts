import type { Range } from '../contract/records/anchors.ts'
import type { Past } from './acceptance.ts'
import type { PlaceBefore } from './anchors/place-before.ts'

export interface Asked {
  name: string
  /** It is asked of the text before it. */
  revision: number
  range: Range
  /** Whether it is of an acceptance as it was known then. */
  made: boolean
}

/** What is to be known of where things stood by letters, in the order of the revisions. */
export function homesAsked({ noted, rejected, acceptances, revision: first }: Past): Asked[] {
  const asked = (name: string, { revision, start, end, isBack }: PlaceBefore, made = false): Asked[] => {
    const its = revision + Number(Boolean(isBack))
    return its <= first ? [] : [{ name, revision: its, range: { start, end }, made }]
  }
  const notes = noted.flatMap(({ id, takenOut = [] }) =>
    takenOut
      .map((note) => asked(id, note))
      .filter((one) => one.length > 0)
      .slice(0, 1)
      .flat(),
  )
  const known = new Set(notes.map(({ name }) => name))
  const decided = acceptances.flatMap(({ id, revision, range, undoneBy }) =>
    undoneBy === null && range && !known.has(id) ? asked(id, { revision, ...range }) : [],
  )
  const left = rejected.flatMap(({ id, revision, range }) =>
    known.has(id) ? [] : asked(id, { revision: revision + 1, ...range }),
  )
  const made = acceptances.flatMap(({ id, revision, home }) =>
    home ? asked(nameOf(id, revision), home, true) : [],
  )
  return [...notes, ...decided, ...left, ...made].toSorted((a, b) => a.revision - b.revision)
}

/** Of an acceptance. */
export const nameOf = (id: string, revision: number) => `${revision} ${id}`
