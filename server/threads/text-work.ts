import { workOutEdit } from '../domain/document-change.ts'
import { acceptInTurn, mostAcceptingChanges } from '../domain/accept-in-turn.ts'
import { reopenSuggestions } from '../domain/reopen-suggestions.ts'
import { placeNewAnchor, type NewlyPlaced } from '../domain/anchors/place-through-log.ts'
import { readCriticMarkup } from '../domain/critic-markup/read.ts'
import { readJsonOrSay, readMessageOrSay } from '../domain/json-body.ts'
import { isHashOf } from '../domain/content-hash.ts'
import { findNamedPlaces } from '../domain/named-places.ts'
import { redactLog } from '../domain/redact-log.ts'
import { replay, type ReplayedEntry } from '../domain/replay.ts'
import { replacements } from '../domain/replacements.ts'
import { wordChanges } from '../domain/word-changes.ts'
import { packed, unpacked, type KeptText } from './kept-text.ts'

/**
 * What is worked out of texts and may take long: of each, what is asked and what comes of it are plain data, and the
 * same always comes of the same. Whatever else takes long belongs in here, and can then be done on another thread.
 */
export const textWork = {
  /** How one text becomes another, and where that leaves its anchors. */
  edit: workOutEdit,
  /** What becomes of a text, and of its anchors, as suggestions are accepted, each change of it. */
  accept: acceptInTurn,
  /** What becomes of them as decisions are taken back. */
  reopen: reopenSuggestions,
  /** Where an anchor stands that was made on the same text, or on an older one with the changes since. */
  place: placeNewAnchor,
  /** The same of several on one text. */
  placeAll: ({ content, places }: { content: string; places: readonly Omit<NewlyPlaced, 'content'>[] }) =>
    places.map((one) => placeNewAnchor({ content, ...one })),
  /** Where words stand by which somebody names places of a text, each looked for once. */
  find: findNamedPlaces,
  /** A text that came with its feedback as CriticMarkup; null where that is more than comes in at once. */
  feedback: readCriticMarkup,
  /** The JSON that a request brings. */
  read: readJsonOrSay,
  /** The same of an agent's message. */
  message: readMessageOrSay,
  /** A text as it is kept. */
  pack: packed,
  /** What a log makes of a text as it is kept; null where it is damaged. */
  replay: replayKept,
  /** A log without a passage. */
  redact: redactKept,
  /** How one text becomes another. */
  compare: ({ before, after }: { before: string; after: string }) => replacements(before, after),
  /** The same word by word, as a person would tell it. */
  words: ({ before, after }: { before: string; after: string }) => wordChanges(before, after),
}

interface Replayed {
  kept: KeptText
  /** Of the kept text. */
  revision: number
  entries: readonly ReplayedEntry[]
  /** Of the text that is wanted, where it is known; without entries, nothing else tells that a keyframe is damaged. */
  hash?: number | null
}

function replayKept({ kept, revision, entries, hash = null }: Replayed): string | null {
  try {
    const text = replay({ revision, text: unpacked(kept) }, entries)
    const isChecked = hash === null || entries.length > 0
    return text === null || isChecked || isHashOf(hash, text) ? text : null
  } catch {
    // It can't be unpacked.
    return null
  }
}

interface Redacted {
  passage: string
  entries: readonly ReplayedEntry[]
  keyframes: readonly { revision: number; content: KeptText }[]
}

function redactKept({ passage, entries, keyframes }: Redacted) {
  const kept = new Map(keyframes.map(({ revision, content }) => [revision, content]))
  const redacted = redactLog({
    passage,
    entries,
    keyframeAt(revision) {
      const content = kept.get(revision)
      try {
        return content === undefined ? null : unpacked(content)
      } catch {
        return null
      }
    },
  })
  return {
    ...redacted,
    keyframes: redacted.keyframes.map(({ revision, text }) => ({
      revision,
      content: typeof kept.get(revision) === 'string' ? text : packed(text),
    })),
  }
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
    content.length * suggestions.filter(({ range, anchor }) => !range && !anchor).length +
    // And what isn't accepted is followed like the rest, through each change.
    (content.length + (suggestions.length * 2 + anchors.length) * ofRecord) *
      mostAcceptingChanges(suggestions),
  reopen: ({ content, suggestions, past, anchors }) =>
    content.length * 2 + (suggestions.length + (past?.log.length ?? 0) * 2 + anchors.length) * ofRecord,
  place: ({ content, log }) => content.length + (log?.length ?? 0) * ofRecord,
  placeAll: ({ content, places }) =>
    places.reduce((sum, { log }) => sum + content.length + (log?.length ?? 0) * ofRecord, 0),
  // Long words may have it go over the same characters again and again.
  find: ({ content, named }) => named.reduce((sum, { find }) => sum + find.length * 4, content.length),
  feedback: (source) => source.length,
  read: (bytes) => bytes.length,
  message: (bytes) => bytes.length,
  pack: (text) => text.length,
  // Packed, it is some times as long.
  replay: ({ kept, entries }) =>
    kept.length * (typeof kept === 'string' ? 1 : 3) +
    entries.reduce((sum, { changes }) => sum + changes.length + ofRecord, 0),
  redact: ({ entries, keyframes }) =>
    keyframes.reduce((sum, { content }) => sum + content.length * 3, 0) +
    entries.reduce((sum, { changes, length }) => sum + changes.length + length + ofRecord, 0),
  compare: ({ before, after }) => before.length + after.length,
  words: ({ before, after }) => before.length + after.length,
}
const ofRecord = 200
/** From here on, others would notice. */
const heavy = 256 * 1024

export const weightOf = <Kind extends TextWorkKind>(kind: Kind, asked: AskedOf<Kind>) => weights[kind](asked)
export const isLight = <Kind extends TextWorkKind>(kind: Kind, asked: AskedOf<Kind>) =>
  weightOf(kind, asked) < heavy
