import type { EditorState } from '@codemirror/state'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { isByOthers, type Words } from './own-suggestions.ts'
import type { WrittenSuggestion } from './stretches.ts'
import type { UnsentSuggestion } from './unsent-suggestions.ts'

/** What of a suggestion the server has, or may have. */
export interface Known {
  id: string | null
  /** As the server has it; null for nothing. */
  sent: Words | null
  /** When its author had last changed it, as the server has it so; absent where that isn’t known. */
  edited?: string | null
  /** What was sent and not answered: it is sent again as it was, under its key, until it is. */
  unsure: UnsentSuggestion | null
  /** What it was to become when that was last asked for. */
  asked?: Words
  /** Why it is suggested, where that was said before the server had it and isn’t known to have arrived. */
  note?: string | null | undefined
  /** A closed window has left its words, and the server hasn’t got these yet. */
  isLeft?: boolean
}

export const nothingSent: Known = { id: null, sent: null, unsure: null }

/** Its words, with line feeds. */
export const wordsOf = ({ original, suggested }: Words): Words => ({
  original: toLf(original),
  suggested: toLf(suggested),
})

export const linesOf = ({ original_text, suggested_text }: Suggestion): Words =>
  wordsOf({ original: original_text, suggested: suggested_text })

/** Whether a suggestion reads as what the server had of it, or was asked to have. */
export const isOneOf = (item: Suggestion, words: readonly (Words | null | undefined)[]) =>
  words.some((one) => one && isSame(linesOf(item), one))

export const isSame = (one: Words | null, other: Words | null) =>
  one?.original === other?.original && one?.suggested === other?.suggested

/**
 * Whether a suggestion is something else than was sent, which its author says. How it reads with what others have written
 * within it, or taken out there, isn’t said by its author.
 * @param now as it reads; nothing where it is taken back
 */
export const isChanged = (
  state: EditorState,
  key: number,
  now: WrittenSuggestion | null | undefined,
  sent: Words | null,
) => !isSame(now ?? null, sent) && !(now && sent && isByOthers(state, key, sent))
