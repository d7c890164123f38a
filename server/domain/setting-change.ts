import { commonEnds } from './common-ends.ts'

/** How a line begins that opens code, up to the language. */
const codeBegins =
  /^(?<sign>(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*(?:`{3,}(?=[^`]*$)|~{3,}))[ \t]*(?<language>\S*)/
const sidesOfCells = /^(?=.*\|)[\s>|:]*-[\s|:-]*$/

/** What a line sets, and what becomes of that; no words where nothing does. */
export interface SettingChange {
  of: 'language' | 'alignment'
  words: string
}

/**
 * Of lines that set how something shows, and don’t show themselves, what changes: the language of code, or at which side
 * the cells of a table’s columns stand. Null where it is another change.
 */
export function settingChange(
  before: string,
  original: string,
  suggested: string,
  after: string,
): SettingChange | null {
  const endsLine = original.endsWith('\n') && suggested.endsWith('\n')
  const begin = before.slice(before.lastIndexOf('\n') + 1)
  const end = endsLine ? '' : /^[^\r\n]*/.exec(after)![0]
  const [was, will] = [original, suggested].map(
    (words) => begin + (endsLine ? words.replace(/\r?\n$/, '') : words) + end,
  )
  if (was!.includes('\n') || will!.includes('\n')) return null
  const code = opensCode(before, original, after) ? languageChange(was!, will!) : null
  return code ?? sideChange(was!, will!)
}

/** The same of a suggestion, of which what both its texts begin and end with counts as what stands around. */
export function settingOf(
  before: string,
  original: string,
  suggested: string,
  after: string,
): SettingChange | null {
  const whole = settingChange(before, original, suggested, after)
  if (whole || !original.includes('\n')) return whole
  const { head, tail } = commonEnds(original, suggested)
  const [was, will] = [original, suggested].map((text) => text.slice(head, text.length - tail))
  return settingChange(
    before + original.slice(0, head),
    was!,
    will!,
    original.slice(original.length - tail) + after,
  )
}

/** Whether a passage is within a line of those; the passage may have its line end. */
export const isSetting = (before: string, words: string, after: string): boolean =>
  settingChange(before, words, words, after) !== null

/** Whether it is one that opens code; without a language one that has nothing right before it, other than what ends code. */
export function opensCode(before: string, words: string, after: string): boolean {
  const at = before.lastIndexOf('\n') + 1
  const line = before.slice(at) + /^[^\r\n]*/.exec(words + after)![0]
  const language = codeBegins.exec(line)?.groups?.['language']
  if (language !== '') return language !== undefined
  return /(?:^|\n)[ \t>]*\n?$/.test(before.slice(0, at)) && /^.*\n.*\S/.test(words + after)
}

function languageChange(was: string, will: string): SettingChange | null {
  const [old, now] = [was, will].map((line) => codeBegins.exec(line)?.groups)
  if (!old || !now || old['sign'] !== now['sign']) return null
  const [from, to] = [old['language'] || 'none', now['language'] || 'none']
  return { of: 'language', words: from === to ? '' : `language ${from} → ${to}` }
}

function sideChange(was: string, will: string): SettingChange | null {
  if (!sidesOfCells.test(was) || !sidesOfCells.test(will)) return null
  const [old, now] = [was, will].map((line) => (line.match(/:?-+:?/g) ?? []).map(sideOf))
  const isTable = old!.length === now!.length
  const changed = new Set(old!.flatMap((side, i) => (side === now![i] ? [] : [`${side} → ${now![i]!}`])))
  return { of: 'alignment', words: isTable && changed.size > 0 ? `alignment ${[...changed].join(', ')}` : '' }
}

function sideOf(cell: string): string {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'centre' : 'right'
  return cell.startsWith(':') ? 'left' : 'none'
}
