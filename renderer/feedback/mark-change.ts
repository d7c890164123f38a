import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { columnChange } from '../../server/domain/column-change.ts'
import { commonEnds } from '../../server/domain/common-ends.ts'
import { withoutLastWord } from '../../server/domain/cut-at-word.ts'
import { madeHeading } from '../../server/domain/made-heading.ts'
import { settingOf } from '../../server/domain/setting-change.ts'
import { taskTick } from '../../server/domain/task-tick.ts'
import { fence, lineSigns, readWithFormulas, withFormulas } from '../editor/read-line.ts'
import { rowsIn } from '../editor/read-row.ts'
import { allBlocksIn } from '../reading/read-blocks.ts'
import { namesOfBlocks, wordsOfBlocks } from './block-words.ts'
import { looksWords, type LookName } from './look-words.ts'
import { readWords } from './read-words.ts'
import { breakAmongWords } from './white-change.ts'
import { FULL, wordsAfter, wordsBefore } from './context.ts'

/** A suggestion that leaves the words as they are and changes only what they are. */
export interface MarkChange {
  /** What it does, such as “Make bold”. */
  does: string
  /** With the formulas among them to be drawn: `partsOf` parts them from the rest. */
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
] as const satisfies readonly (readonly [string, LookName])[]
const anySign = /[*_~`[\]()\\]/

/** What a suggestion does that only changes signs; null where it changes words, or that can’t be said for sure. */
export function markChange(suggestion: Suggested): MarkChange | null {
  return (
    tickChange(suggestion) ??
    toldChange(suggestion) ??
    codeChange(suggestion) ??
    lineChange(suggestion) ??
    addressChange(suggestion) ??
    wholeChange(suggestion) ??
    inlineChange(suggestion)
  )
}

/** Of the box of a task, or a part of it. */
function tickChange({
  original_text: original,
  suggested_text: suggested,
  anchor,
}: Suggested): MarkChange | null {
  const tick = anchor && taskTick(anchor.prefix, { original, suggested }, anchor.suffix)
  if (!tick) return null
  const rest = tick.original.slice(tick.signs)
  const isCut = anchor.suffix.length >= FULL && !anchor.suffix.includes('\n')
  const words = readWithFormulas(isCut ? `${withoutLastWord(rest).trim() || rest} …` : rest)
  return { does: tickWords(tick.isDone), words, context: ['', ''] }
}

/** Of what sets how others show, the line below a heading, or columns: in the words that the text has for it. */
function toldChange({ original_text, suggested_text, anchor }: Suggested): MarkChange | null {
  const { prefix = '', suffix = '' } = anchor ?? {}
  const change = [prefix, original_text, suggested_text, suffix] as const
  const setting = settingOf(...change)
  if (setting) return setting.words === '' ? null : { does: upperFirst(setting.words), words: '', context }
  const heading = madeHeading(...change)
  if (heading) {
    const what = heading.level === 0 ? 'plain text' : `a heading of level ${heading.level}`
    return { does: `Make ${what}`, words: readWithFormulas(heading.words.replace(/\s+/g, ' ')), context }
  }
  const columns = columnChange(original_text, suggested_text)
  if (!columns) return null
  const count = columns.rows[0]!.length
  return {
    does: `${columns.does === 'in' ? 'Put in' : 'Take out'} ${count === 1 ? 'a column' : `${count} columns`}`,
    words: columns.rows.map((cells) => cells.map(readWithFormulas).join(' · ')).join('\n'),
    context,
  }
}

const upperFirst = (words: string) => words[0]!.toUpperCase() + words.slice(1)

/** What a suggestion does with what all of its words are in, or with the end of a line among them, besides changing the words. */
export function lookChange(
  suggestion: Suggested,
): { does: string; original: string; suggested: string } | null {
  const { original_text: before, suggested_text: after } = suggestion
  const link = readLink(before) ?? readLink(after)
  if (link && !anySign.test(before.startsWith('[') ? after : before))
    return before.startsWith('[')
      ? { does: `Take out the link to ${link.to}`, original: link.words, suggested: after }
      : { does: `Link to ${link.to}`, original: before, suggested: link.words }
  const [was, will] = [readLooks(before), readLooks(after)]
  const ends = breakAmongWords(suggestion)
  if (ends !== null) return { does: ends, ...readWords(suggestion) }
  const does = looksWords(was.looks, will.looks)
  if (does === null || anySign.test(was.words) || anySign.test(will.words)) return null
  return { does, original: was.words, suggested: will.words }
}

/** The words that signs are around, and what these make of them. */
function readLooks(text: string): { looks: LookName[]; words: string } {
  const looks: LookName[] = []
  let words = text
  for (;;) {
    const [sign, look] = inlines.find(([sign]) => isAround(sign, words)) ?? []
    // In code signs are its own.
    if (sign === undefined || looks.includes(look) || looks.includes('code')) return { looks, words }
    looks.push(look)
    words = words.slice(sign.length, -sign.length)
  }
}

const isAround = (sign: string, text: string) =>
  text.length > 2 * sign.length && text.startsWith(sign) && text.endsWith(sign)

const tickWords = (isDone: boolean) => (isDone ? 'Tick' : 'Untick')

function inlineChange({
  original_text: before,
  suggested_text: after,
  anchor,
}: Suggested): MarkChange | null {
  if (/\n/.test(before + after) || !anySign.test(before + after)) return null
  const [head, tail] = anchor ? [wordsBefore(anchor), wordsAfter(anchor)] : ['', '']
  const [was, will] = [head + before + tail, head + after + tail]
  const [from, end] = wholeSigns(was, will)
  const does = inlineWords(was.slice(from, was.length - end), will.slice(from, will.length - end))
  if (!does) return null
  const context = [was.slice(0, from), was.slice(was.length - end)] as const
  // Of signs beside others nobody can say by themselves what they do.
  if (anySign.test(context[0].at(-1) ?? '') || anySign.test(context[1][0] ?? '')) return null
  return { ...does, words: withFormulas(does.words), context }
}

const emphasis = /[*_~`]/

/** How much is the same before and behind what changes, without signs right beside that. */
function wholeSigns(was: string, will: string): [head: number, tail: number] {
  let { head, tail } = commonEnds(was, will)
  while (head > 0 && emphasis.test(was[head - 1]!)) head--
  while (tail > 0 && emphasis.test(was[was.length - tail]!)) tail--
  return [head, tail]
}

const addressed = /(!?)\[([^[\]]*)\]\(([^()\s]+)\)/g

/** Of a part of where a link leads, or of where a picture comes from. */
function addressChange({ original_text, suggested_text, anchor }: Suggested): MarkChange | null {
  const { prefix = '', suffix = '' } = anchor ?? {}
  // To find whole words around takes longer than all else, and there are many suggestions.
  if (!(prefix + original_text + suffix).includes('](')) return null
  const [before, after] = anchor ? [wordsBefore(anchor), wordsAfter(anchor)] : ['', '']
  const [was, will] = [original_text, suggested_text].map((text) => before + text + after)
  const { head, tail } = commonEnds(was!, will!)
  for (const { index, 0: all, 1: picture, 2: words = '', 3: old = '' } of was!.matchAll(addressed)) {
    const to = index + all.length - 1
    const from = to - old.length
    if (head < from || was!.length - tail > to) continue
    const now = will!.slice(from, will!.length - (was!.length - to))
    if (now === old || now === '' || /[()\s]/.test(now)) return null
    return {
      does: `${picture ? 'Show' : 'Link to'} ${now} instead of ${old}`,
      words: withFormulas(words || old),
      context: [was!.slice(0, index), was!.slice(to + 1)],
    }
  }
  return null
}

const picture = /^!\[([^[\]]*)\]\([^()\s]+\)$/

/** Of a picture, rows of a table, or other blocks that come or go as a whole. */
function wholeChange({ original_text, suggested_text, anchor }: Suggested): MarkChange | null {
  const [was, will] = [original_text.trim(), suggested_text.trim()]
  if ((was === '') === (will === '')) return null
  const does = was ? 'Take out' : 'Put in'
  const [, name] = picture.exec(was + will) ?? []
  if (name !== undefined) return { does: `${does} the picture`, words: name || 'without words', context }
  const rows = anchor && areBesideRows(anchor) ? rowsIn(was + will) : null
  if (rows && isWithinLine(anchor!, original_text || suggested_text))
    return { does: `${does} a cell`, words: rows[0]!.filter((cell) => cell !== '').join(' · '), context }
  if (!rows) return blockChange(does, was + will, anchor)
  const words = rows.map((cells) => cells.join(' · ').trim()).join('\n')
  return { does: rows.length === 1 ? `${does} a row` : `${does} ${rows.length} rows`, words, context }
}
const context = ['', ''] as const

/** Of blocks of which at least one is more than a paragraph: what they are is said, as it doesn’t show in their words. */
function blockChange(does: string, source: string, anchor: Suggested['anchor']): MarkChange | null {
  const { prefix = '', suffix = '' } = anchor ?? {}
  const isWhole = /(?:^|\n)[ \t>]*$/.test(prefix) || /^[ \t]*(?:\r?\n|$)/.test(suffix)
  const blocks = isWhole ? allBlocksIn(source) : []
  if (blocks.every(({ kind }) => kind === 'paragraph')) return null
  return { does: `${does} ${namesOfBlocks(blocks)}`, words: wordsOfBlocks(blocks), context }
}

/** Whether a row of a table stands before or behind. */
const areBesideRows = ({ prefix, suffix }: NonNullable<Suggested['anchor']>) =>
  /\|[ \t]*\n?$/.test(prefix) || /^\n?[ \t]*\|/.test(suffix)

/** Whether all of it stands in one line, with more on it. */
const isWithinLine = ({ prefix, suffix }: NonNullable<Suggested['anchor']>, words: string) =>
  !words.includes('\n') &&
  (/\S[ \t]*$/.test(prefix.split('\n').at(-1)!) || /^[ \t]*\S/.test(suffix.split('\n')[0]!))

function inlineWords(was: string, will: string): { does: string; words: string } | null {
  const [plain, marked] = [readLooks(was), readLooks(will)]
  const { words } = plain
  const does = looksWords(plain.looks, marked.looks)
  if (does !== null && words === marked.words && isWhole(words)) return { does, words }
  const [old, now] = [readLink(was), readLink(will)]
  if (now && now.words === was) return { does: `Link to ${now.to}`, words: was }
  if (old && old.words === will) return { does: `Take out the link to ${old.to}`, words: will }
  if (old && now && old.words === now.words)
    return { does: `Link to ${now.to} instead of ${old.to}`, words: now.words }
  return null
}

/** Whether signs around words would be some, and nothing of these is one. */
const isWhole = (words: string) => /^\S(?:.*\S)?$/.test(words) && !anySign.test(words[0]! + words.at(-1)!)

function readLink(text: string): { words: string; to: string } | null {
  const [, words, to] = /^\[([^[\]]+)\]\(([^()\s]+)\)$/.exec(text) ?? []
  return words && to ? { words, to } : null
}

/** Of lines that become code, or are none any longer. */
function codeChange({ original_text, suggested_text }: Suggested): MarkChange | null {
  const [was, will] = [fencedWords(original_text), fencedWords(suggested_text)]
  if ((was === null) === (will === null)) return null
  const [code, plain] = [was ?? will!, was === null ? original_text : suggested_text]
  if (plain.trim() === '' || code.trim() !== plain.trim()) return null
  return { does: `Make ${was === null ? 'a code block' : 'plain text'}`, words: code.trim(), context }
}

/** What stands between the signs of code; null where they aren’t around all of it. */
function fencedWords(text: string): string | null {
  const [head, sign] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^`\r\n]*\r?\n/.exec(text.trim()) ?? []
  if (head === undefined || !text.trim().endsWith(`\n${sign}`)) return null
  const words = text.trim().slice(head.length, -sign!.length)
  return words.split(/\r?\n/).some((line) => fence.test(line)) ? null : words
}

/** Of lines that become a heading, items and so on. */
function lineChange({ original_text, suggested_text, anchor }: Suggested): MarkChange | null {
  const [before, begin] = /(?:^|\n)([ \t>]*)$/.exec(anchor?.prefix ?? 'of none') ?? []
  if (!anchor || begin === undefined || (before === anchor.prefix && anchor.start > before.length))
    return null
  const rest = /\n$/.test(original_text) ? '' : wordsAfter(anchor)
  const [was, will] = [original_text, suggested_text].map((text) =>
    (begin + text + rest).replace(/\n$/, '').split('\n'),
  )
  if (was!.length !== will!.length) return null
  const all = was!.map((line, i) => oneLine(line, will![i]!)).filter((one) => one?.words !== '')
  const [first] = all
  if (!first || all.some((one) => one?.does !== first.does)) return null
  return { does: first.does, words: all.map((one) => one!.words).join(' '), context: ['', ''] }
}

function oneLine(was: string, will: string): { does: string; words: string } | null {
  const [old, now] = [was, will].map((text) => lineSigns.exec(text)![0])
  const words = was.slice(old!.length)
  if (words !== will.slice(now!.length)) return null
  if (words.trim() === '') return { does: '', words: '' }
  const does = old === now ? null : (lineWords(old!.trim(), now!.trim()) ?? moveWords(old!, now!))
  return does === null ? null : { does, words: readWithFormulas(words) }
}

function lineWords(old: string, now: string): string | null {
  const [wasTicked, isTicked] = [old, now].map((signs) => /\[([ xX])\]$/.exec(signs)?.[1]?.trim())
  if (wasTicked !== undefined && isTicked !== undefined) return tickWords(isTicked !== '')
  const what = kindOf(now)
  if (what === null || kindOf(old) === what) return null
  return `Make ${what}`
}

const itemSigns = /^([ \t>]*)(?:[-+*]|\d{1,9}[.)])\s/

/** Of an item, whatever its sign, that gets below the one before, or comes out from there. */
function moveWords(old: string, now: string): string | null {
  const [was, will] = [old, now].map((signs) => itemSigns.exec(signs)?.[1]!.replaceAll('\t', '    ').length)
  if (was === undefined || will === undefined || was === will) return null
  return will > was ? 'Move in' : 'Move out'
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
