import type { FeedbackDraft, FeedbackDrafts } from '../feedback/feedback-drafts.ts'
import { quotedWords } from '../feedback/quoted-words.ts'

/** What was begun and never sent, to be copied where it can’t be gone on with. */
export interface BegunDraft {
  slot: string
  /** What it is about, where that is some words of the text. */
  quote: string
  text: string
  /** What the link has to allow so that it can be sent. */
  needs: 'comment' | 'suggest' | 'edit'
  /** Saves it to disk, where it is a file instead of words. */
  save?: () => void
  discard: () => void
  restore: () => void
}

const notes = ':note'

/** All that was begun on a document, of the slots that are asked for. */
export function begunDrafts(
  drafts: FeedbackDrafts,
  isWanted: (slot: string) => boolean = () => true,
): BegunDraft[] {
  const all = drafts.all()
  return [...all.keys()]
    .filter((slot) => isWanted(slot) && !(isSuggestion(slot) && slot.endsWith(notes)))
    .flatMap((slot) => {
      const parts = [slot, ...(isSuggestion(slot) ? [slot + notes] : [])].flatMap((part) => {
        const draft = all.get(part)
        return draft ? [{ slot: part, draft }] : []
      })
      const { draft } = parts[0]!
      const text = parts
        .map((part) => part.draft.body)
        .filter((body) => body.trim() !== '')
        .join('\n\n')
      if (text === '' && !isSuggestion(slot)) return []
      // Opened, and left as the text has it.
      if (isSuggestion(slot) && parts.length === 1 && draft.body === draft.anchor?.exact) return []
      return [
        {
          slot,
          quote: quoteOf(draft),
          text: text || '(leave these words out)',
          needs: isSuggestion(slot) ? ('suggest' as const) : ('comment' as const),
          discard: () => parts.forEach((part) => drafts.drop(part.slot)),
          restore: () => parts.forEach((part) => drafts.keep(part.slot, part.draft)),
        },
      ]
    })
}

/** Forgets a suggestion that was begun, with its reason. */
export function dropSuggestion(drafts: FeedbackDrafts, slot: string): void {
  drafts.drop(slot)
  drafts.drop(slot + notes)
}

export const isSuggestion = (slot: string) => slot.startsWith('suggest:')

const quoteOf = ({ anchor, place, words }: FeedbackDraft) =>
  words ?? place?.words ?? (anchor ? quotedWords(anchor) : '')
