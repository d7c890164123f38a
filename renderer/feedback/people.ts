import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/** Who took part in what is said of a document, by name, and under which names its reader did. */
export interface People {
  names: readonly string[]
  own: readonly string[]
}

export const nobody: People = { names: [], own: [] }

/** “Guest” is nobody in particular, and can’t be meant. */
export function peopleOf(said: readonly (Comment | Suggestion)[]): People {
  const named = said.filter(({ author_name }) => author_name.trim() !== '' && author_name !== 'Guest')
  const namesOf = (some: typeof named) => [...new Set(some.map(({ author_name }) => author_name))]
  return { names: namesOf(named), own: namesOf(named.filter(({ mine }) => mine)) }
}

/** The name that is being typed behind an `@` at the end of `before`, as far as it goes; null where none is. */
export function begunMention(before: string): string | null {
  const begun = /(?:^|[\s(])@([^\n@]{0,80})$/u.exec(before)
  return begun ? begun[1]! : null
}

/** Who may be meant by what is typed so far: the names, or a later word of theirs, begin with it. */
export function namesFor(begun: string, { names, own }: People): string[] {
  const wanted = begun.toLocaleLowerCase()
  return names
    .filter((name) => !own.includes(name))
    .filter((name) => {
      const lower = name.toLocaleLowerCase()
      return lower !== wanted && (lower.startsWith(wanted) || (wanted !== '' && lower.includes(` ${wanted}`)))
    })
    .slice(0, 6)
}
