import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { attached, keyed, ownSuggestions } from './own-suggestions.ts'
import { showing } from './shown-suggestions.ts'
import { documentText, toDocument } from './stretches.ts'

/** Words, and where in a text they are to be put in. */
interface Put {
  at: number
  words: string
}

/**
 * What suggests words that have lost their place for where they stand now. What was lines or paragraphs of its own is
 * so there, too, and none of it runs into the words that stand there.
 */
export function keepingHere(state: EditorState, key: number): TransactionSpec {
  const { detached, stretches } = state.field(ownSuggestions)
  const own = keyed(stretches, key)
  const [apart, first] = [detached.get(key), own[0]]
  if (!apart || !first) return attached(key)
  const text = documentText(state.doc, stretches, 0, toDocument(stretches, state.doc.length))
  const at = toDocument(stretches, first.from)
  const words = own.map(({ from, to }) => state.sliceDoc(from, to)).join('')
  const put = putAlone(text, { at, words }, linesApart(words, apart.anchor))
  if (put.at === at && put.words === words) return attached(key)
  return showing(state, [{ key, pieces: [{ from: put.at, to: put.at, insert: put.words }] }], [])
}

const lineEndsAround = (words: string) => ({
  before: /^\n*/.exec(words)![0].length,
  after: /\n*$/.exec(words)![0].length,
})

/** How far words stood from what was around them: 0 in a line, 1 in lines and 2 in paragraphs of their own. */
function linesApart(words: string, { prefix, suffix }: Anchor): 0 | 1 | 2 {
  const edges = lineEndsAround(words)
  const isBlank = (text: string) => /^\n*$/.test(text)
  const before = isBlank(prefix) ? 2 : lineEndsAround(prefix).after + edges.before
  const after = isBlank(suffix) ? 2 : lineEndsAround(suffix).before + edges.after
  return Math.min(2, before, after) as 0 | 1 | 2
}

function putAlone(text: string, { at, words }: Put, apart: 0 | 1 | 2): Put {
  const alone = words.replace(/^\n+|\n+$/g, '')
  if (apart === 0 || alone === '') return { at, words: besideWords(text, { at, words }) }
  const place = borderAt(text, at, apart)
  const [before, after] = [text.slice(0, place), text.slice(place)]
  const missing = (other: string, there: number, [above, below]: readonly [string, string]) =>
    /^\n*$/.test(other) ? 0 : Math.max(0, (apart === 2 || !isOneBlock(above, below) ? 2 : 1) - there)
  const lines = alone.split('\n')
  const above = before.trimEnd().split('\n').at(-1)!
  const below = after.replace(/^\n+/, '').split('\n')[0]!
  const lead = missing(before, lineEndsAround(before).after, [above, lines[0]!])
  const trail = missing(after, lineEndsAround(after).before, [lines.at(-1)!, below])
  return { at: place, words: '\n'.repeat(lead) + alone + '\n'.repeat(trail) }
}

/** Where a line begins or ends, or for 2 a paragraph. */
function borderAt(text: string, at: number, apart: 1 | 2): number {
  const border = '\n'.repeat(apart)
  const around = text.slice(Math.max(0, at - border.length + 1), at + border.length - 1)
  const isBorder = text.slice(0, at).endsWith(border) || text.startsWith(border, at) || around === border
  if (at === 0 || isBorder) return at
  const next = text.indexOf(border, at)
  return next < 0 ? text.replace(/\n+$/, '').length : next
}

const item = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/
const row = /^[\s>]*\|/

/** Whether the lower line of two goes on with what the upper one is part of, as an item does with a list. */
const isOneBlock = (above: string, below: string) =>
  row.test(above) === row.test(below) &&
  (item.test(above) === item.test(below) || (item.test(below) && /^\s/.test(above)))

const isInWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

function besideWords(text: string, { at, words }: Put): string {
  const apart = (one: string, other: string) =>
    isInWord([...one.slice(-2)].at(-1)) && isInWord([...other.slice(0, 2)][0]) ? ' ' : ''
  return apart(text.slice(0, at), words) + words + apart(words, text.slice(at))
}
