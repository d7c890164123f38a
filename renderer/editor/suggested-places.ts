import { Facet } from '@codemirror/state'

/** Where a suggestion changes the text in the editor; empty where it puts something in that isn’t in that text. */
export interface SuggestedPlace {
  from: number
  to: number
  /** It is taken out, and what stands for it is in the text, too: what it meant counts no more. */
  isGone: boolean
  /** How words are struck there; a picture in their place is struck so, too. */
  struck?: StruckLook
}

export interface StruckLook {
  tagName: string
  class: string
  attributes?: Record<string, string>
}

/** Tells which suggestions are drawn between two places. */
export const suggestedPlaces = Facet.define<(from: number, to: number) => readonly SuggestedPlace[]>()

/**
 * Which of them change a block’s sign itself. One that goes on beyond it takes or brings words with it, and these show
 * that already.
 */
export function changingSign(
  places: readonly SuggestedPlace[],
  sign: { from: number; to: number },
  lineStart: number,
): SuggestedPlace[] {
  return places.filter(({ from, to }) => {
    if (from === to) return from > sign.from && from < sign.to
    const goesOn = (from < lineStart && to >= sign.to) || (from <= sign.from && to > sign.to)
    return from < sign.to && to > sign.from && !goesOn
  })
}
