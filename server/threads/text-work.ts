import { deflateRawSync } from 'node:zlib'
import { workOutEdit } from '../domain/document-change.ts'
import { acceptSuggestions } from '../domain/accept-suggestions.ts'
import { placeNewAnchor } from '../domain/anchors/place-through-log.ts'
import { readJsonOrSay } from '../domain/json-body.ts'

/**
 * What is worked out of texts and may take long: of each, what is asked and what comes of it are plain data, and the
 * same always comes of the same. Whatever else takes long belongs in here, and can then be done on another thread.
 */
export const textWork = {
  /** How one text becomes another, and where that leaves its anchors. */
  edit: workOutEdit,
  /** What becomes of a text, and of its anchors, as suggestions are accepted. */
  accept: acceptSuggestions,
  /** Where an anchor stands that was made on the same text, or on an older one with the changes since. */
  place: placeNewAnchor,
  /** The JSON that a request brings. */
  read: readJsonOrSay,
  /** A text as it is kept. */
  pack: (text: string): Uint8Array => deflateRawSync(Buffer.from(text, 'utf8'), { level: 3 }),
}

export type TextWork = typeof textWork
export type TextWorkKind = keyof TextWork
export type AskedOf<Kind extends TextWorkKind> = Parameters<TextWork[Kind]>[0]
export type GivenOf<Kind extends TextWorkKind> = ReturnType<TextWork[Kind]>

/** Has something worked out, or knows it already. */
export type Bench = <Kind extends TextWorkKind>(kind: Kind, asked: AskedOf<Kind>) => GivenOf<Kind>

/** Works it out here and now. */
export const here: Bench = (kind, asked) => (textWork[kind] as (asked: unknown) => never)(asked)

/** How much each reads, in characters; of all that is asked, or that is in it again and again. */
const weights: { [Kind in TextWorkKind]: (asked: AskedOf<Kind>) => number } = {
  edit: ({ before, after, anchors }) => before.length + after.length + anchors.length * ofRecord,
  // Those that stand nowhere are looked for, each in what those before it have left.
  accept: ({ content, suggestions, anchors }) =>
    content.length * (1 + suggestions.filter(({ range, anchor }) => !range && !anchor).length) +
    (suggestions.length + anchors.length) * ofRecord,
  place: ({ content, log }) => content.length + (log?.length ?? 0) * ofRecord,
  read: (bytes) => bytes.length,
  pack: (text) => text.length,
}
const ofRecord = 200
/** From here on, others would notice. */
const heavy = 256 * 1024

export const weightOf = <Kind extends TextWorkKind>(kind: Kind, asked: AskedOf<Kind>) => weights[kind](asked)
export const isLight = <Kind extends TextWorkKind>(kind: Kind, asked: AskedOf<Kind>) =>
  weightOf(kind, asked) < heavy
