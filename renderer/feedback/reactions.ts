import { reactionNames, type Reaction, type ShownReaction } from '../../server/contract/records/reactions.ts'

/** How each is drawn, and called for those who hear it. */
export const reactionLooks: Record<Reaction, { sign: string; label: string }> = {
  agree: { sign: '👍', label: 'Agree' },
  heart: { sign: '❤️', label: 'Love it' },
  laugh: { sign: '😄', label: 'Funny' },
  celebrate: { sign: '🎉', label: 'Well done' },
  unsure: { sign: '🤔', label: 'Not sure' },
}

/** As they will be once somebody has set one of theirs, or taken it back. */
export const afterReacting = (
  shown: readonly ShownReaction[],
  reaction: Reaction,
  set: boolean,
): ShownReaction[] =>
  reactionNames.flatMap((kind) => {
    const before = shown.find((one) => one.reaction === kind)
    if (kind !== reaction || (before?.mine ?? false) === set) return before ?? []
    const count = (before?.count ?? 0) + (set ? 1 : -1)
    return count === 0 ? [] : { names: [], ...before, reaction: kind, count, mine: set }
  })
