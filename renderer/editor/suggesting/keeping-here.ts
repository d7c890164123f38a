import type { EditorState, TransactionSpec } from '@codemirror/state'
import { isAsWritten } from '../line-start.ts'
import { attached, detachedOf, keyed, ownSuggestions } from './own-suggestions.ts'
import { showing } from './shown-suggestions.ts'
import { documentText, toDocument } from './stretches.ts'
import { suggestedPieces } from './suggested-pieces.ts'
import { glue, putAlone, whatWas, type Put } from './words-put-in.ts'

interface Place {
  from: number
  to: number
}

/**
 * What suggests words that have lost their place for where they stand now. What was to stand for other words does so for
 * those that are selected, or where the same are there again. What was lines or paragraphs of its own is so there, too,
 * and none of it runs into the words or marks that stand there.
 */
export function placedHere(state: EditorState, key: number, selected: Place): TransactionSpec {
  const { detached, stretches } = state.field(ownSuggestions)
  const own = keyed(stretches, key)
  const [apart, first] = [detached.get(key), own[0]]
  if (!apart || !first) return attached(key)
  const text = documentText(state.doc, stretches, 0, toDocument(stretches, state.doc.length))
  const at = toDocument(stretches, first.from)
  const words = own.map(({ from, to }) => state.sliceDoc(from, to)).join('')
  const old = replaceable(selectedIn(state, selected), apart.original, { text, at, words })
  if (old) {
    const pieces = suggestedPieces(text.slice(old.from, old.to), words)
    const placed = pieces.map((one) => ({ ...one, from: old.from + one.from, to: old.from + one.to }))
    return showing(state, [{ key, pieces: placed }], [])
  }
  const isCode = isAsWritten(state, state.doc.lineAt(first.from))
  const put = putAlone(text, { at, words }, whatWas(words, apart.anchor), isCode)
  if (put.at === at && put.words === words) return attached(key)
  return showing(state, [{ key, pieces: [{ from: put.at, to: put.at, insert: put.words }] }], [])
}

/** Where the words that are selected are in the document, if any are. */
function selectedIn(state: EditorState, selected: Place): Place | null {
  const { stretches } = state.field(ownSuggestions)
  const [from, to] = [toDocument(stretches, selected.from), toDocument(stretches, selected.to)]
  return from < to ? { from, to } : null
}

/** Whether what has lost its place would stand for the words that are selected. */
export const isForSelected = (state: EditorState, key: number): boolean =>
  (detachedOf(state).get(key)?.original ?? '') !== '' && selectedIn(state, state.selection.main) !== null

/** What words are to stand for that have stood for others: nothing where those aren’t there, and none are selected. */
function replaceable(selected: Place | null, original: string, { text, at, words }: Put & { text: string }) {
  if (original === '') return null
  const old = selected ?? nearest(text, at, original)
  return old && text.slice(old.from, old.to) !== words ? old : null
}

/** Where words are in the paragraph at a place, or in one of both between which it is, the nearest to it. */
function nearest(text: string, at: number, words: string): Place | null {
  const begin = text.slice(0, at).trimEnd().lastIndexOf('\n\n') + 1
  const end = text.indexOf('\n\n', at + /^\s*/.exec(text.slice(at))![0].length)
  const region = text.slice(begin, end < 0 ? undefined : end)
  const isWhole = (from: number, to: number) =>
    glue(text.slice(0, from), words) + glue(words, text.slice(to)) === ''
  let found: Place | null = null
  const distance = ({ from, to }: Place) => Math.max(from - at, at - to)
  for (let i = region.indexOf(words); i >= 0; i = region.indexOf(words, i + 1)) {
    const here = { from: begin + i, to: begin + i + words.length }
    if (isWhole(here.from, here.to) && (!found || distance(here) < distance(found))) found = here
  }
  return found
}
