import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { lineSigns, readLine } from '../editor/read-line.ts'
import { wordsAfter, wordsBefore } from './context.ts'

/** A suggestion that leaves the words as they are and changes only what they are. */
export interface MarkChange {
  /** What it does, such as “Make bold”. */
  does: string
  words: string
  /** What stands around them on their line. */
  context: readonly [string, string]
}

type Suggested = Pick<Suggestion, 'original_text' | 'suggested_text' | 'anchor'>

const inlines = [
  ['**', 'bold'],
  ['__', 'bold'],
  ['*', 'italic'],
  ['_', 'italic'],
  ['~~', 'struck through'],
  ['`', 'code'],
] as const
const anySign = /[*_~`[\]()\\]/

/** What a suggestion does that only changes signs; null where it changes words, or that can’t be said for sure. */
export function markChange(suggestion: Suggested): MarkChange | null {
  return lineChange(suggestion) ?? inlineChange(suggestion)
}

function inlineChange({
  original_text: before,
  suggested_text: after,
  anchor,
}: Suggested): MarkChange | null {
  if (/\n/.test(before + after)) return null
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let end = 0
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end++
  const [was, will] = [before.slice(from, before.length - end), after.slice(from, after.length - end)]
  const context = [
    (anchor ? wordsBefore(anchor) : '') + before.slice(0, from),
    before.slice(before.length - end) + (anchor ? wordsAfter(anchor) : ''),
  ] as const
  // Of signs beside others nobody can say by themselves what they do.
  if (anySign.test(context[0].at(-1) ?? '') || anySign.test(context[1][0] ?? '')) return null
  const does = inlineWords(was, will)
  return does && { ...does, context }
}

function inlineWords(was: string, will: string): { does: string; words: string } | null {
  for (const [sign, look] of inlines) {
    if (isWrapped(will, was, sign)) return { does: `Make ${look}`, words: was }
    if (isWrapped(was, will, sign)) return { does: `Make no longer ${look}`, words: will }
  }
  const [old, now] = [readLink(was), readLink(will)]
  if (now && now.words === was) return { does: `Link to ${now.to}`, words: was }
  if (old && old.words === will) return { does: `Take out the link to ${old.to}`, words: will }
  if (old && now && old.words === now.words)
    return { does: `Link to ${now.to} instead of ${old.to}`, words: now.words }
  return null
}

const isWrapped = (all: string, words: string, sign: string) =>
  all === sign + words + sign && /^\S(?:.*\S)?$/.test(words) && !anySign.test(words[0]! + words.at(-1)!)

function readLink(text: string): { words: string; to: string } | null {
  const [, words, to] = /^\[([^[\]]+)\]\(([^()\s]+)\)$/.exec(text) ?? []
  return words && to ? { words, to } : null
}

/** Of a line that becomes a heading, an item and so on. */
function lineChange({ original_text, suggested_text, anchor }: Suggested): MarkChange | null {
  if (!anchor || !/(?:^|\n)$/.test(anchor.prefix) || (anchor.prefix === '' && anchor.start > 0)) return null
  const rest = /\n$/.test(original_text) ? '' : wordsAfter(anchor)
  const [was, will] = [original_text + rest, suggested_text + rest].map((text) => text.replace(/\n$/, ''))
  if (/\n/.test(was! + will!)) return null
  const [old, now] = [was!, will!].map((text) => lineSigns.exec(text)![0])
  const words = was!.slice(old!.length)
  if (words.trim() === '' || old === now || words !== will!.slice(now!.length)) return null
  const does = lineWords(old!.trim(), now!.trim())
  return does === null ? null : { does, words: readLine(words), context: ['', ''] }
}

function lineWords(old: string, now: string): string | null {
  const [wasTicked, isTicked] = [old, now].map((signs) => /\[([ xX])\]$/.exec(signs)?.[1]?.trim())
  if (wasTicked !== undefined && isTicked !== undefined) return isTicked ? 'Tick off' : 'Untick'
  const what = kindOf(now)
  if (what === null || kindOf(old) === what) return null
  return `Make ${what}`
}

function kindOf(signs: string): string | null {
  if (signs === '') return 'plain text'
  if (/^#+$/.test(signs)) return `a heading of level ${signs.length}`
  if (/^\d+[.)]$/.test(signs)) return 'a numbered item'
  if (/^[-+*]$/.test(signs)) return 'a list item'
  if (/^[-+*]\s+\[[ xX]\]$/.test(signs)) return 'a task'
  if (signs === '>') return 'a quote'
  return null
}
