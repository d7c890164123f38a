import { type Reaction, reactionNames, type ShownReaction } from '../contract/records/reactions.ts'

/** A reaction of one person. */
export interface StoredReaction {
  kind: Reaction
  /** By what they are known again; never leaves the server. */
  by: string
  /** As they called themselves. */
  name: string
}

/** So many names are told of one reaction. */
const mostNames = 20

/** With one person’s reaction set or taken back; the same list where that is so already. */
export function withReaction(
  reactions: readonly StoredReaction[],
  reaction: StoredReaction,
  set: boolean,
): readonly StoredReaction[] {
  const isIt = (one: StoredReaction) => one.kind === reaction.kind && one.by === reaction.by
  if (reactions.some(isIt) === set) return reactions
  return set ? [...reactions, reaction] : reactions.filter((one) => !isIt(one))
}

/** Each kind once, in the order they have everywhere. `by` is who looks at them; `guestsOf` says who of them are guests. */
export const shownReactions = (
  reactions: readonly StoredReaction[],
  by: string | null,
  guestsOf: (reactions: readonly StoredReaction[]) => Pick<ShownReaction, 'guests'> = () => ({}),
): ShownReaction[] =>
  reactionNames.flatMap((kind) => {
    const same = reactions.filter((one) => one.kind === kind)
    if (same.length === 0) return []
    const names = same.slice(0, mostNames).map(({ name }) => name)
    const mine = same.some((one) => one.by === by)
    return { reaction: kind, count: same.length, names, mine, ...guestsOf(same) }
  })
