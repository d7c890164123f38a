// The signs of CriticMarkup, and how they are told from the same signs in somebody’s words.
//
// A sign that is meant literally has a backslash before its brace: `\{++`, `++\}`; and `~\>` for the one in the middle.
// Backslashes that stand there anyway are doubled, so that what is read is always what was written.

export type MarkKind = '++' | '--' | '~~' | '>>' | '=='

const opening = /(?<!\\)(\\*)\{(?=\+\+|--|~~|>>|==)/g
const closers = {
  '++': /(?<=\+\+)(\\*)\}/g,
  '--': /(?<=--)(\\*)\}/g,
  '~~': /(?<=~~)(\\*)\}/g,
  '>>': /(?<=<<)(\\*)\}/g,
  '==': /(?<===)(\\*)\}/g,
}
const middle = /(?<=~)(\\*)>/g

export const closingOf = (kind: MarkKind) => (kind === '>>' ? '<<}' : `${kind}}`)

const guard = (text: string, sign: RegExp) =>
  text.replace(sign, (found, backslashes: string) => `${backslashes}${backslashes}\\${found.at(-1)!}`)

const unguard = (text: string, sign: RegExp) =>
  text.replace(sign, (found, { length }: string) =>
    length % 2 === 0 ? found : '\\'.repeat((length - 1) / 2) + found.at(-1)!,
  )

/** Words outside of all marks. `isMarkNext` says whether a mark stands right behind them. */
export function writeText(text: string, isMarkNext: boolean): string {
  const guarded = guard(text, opening)
  return isMarkNext ? guarded + '\\'.repeat(backslashesAtEnd(guarded)) : guarded
}

function backslashesAtEnd(text: string): number {
  let start = text.length
  while (start > 0 && text[start - 1] === '\\') start--
  return text.length - start
}

export function readText(text: string, isMarkNext: boolean): string {
  const doubled = isMarkNext ? backslashesAtEnd(text) : 0
  return unguard(text.slice(0, text.length - doubled / 2), opening)
}

/** What stands within a mark, up to `end`, which is the sign that comes next. */
export function writeWithin(text: string, kind: MarkKind, end: string): string {
  // A brace at its end would make another sign of the one that comes next.
  const guarded = guard(text + end, opening).slice(0, -end.length)
  const closed = guard(guarded, closers[kind])
  return end === '~>' ? guard(closed, middle) : closed
}

export function readWithin(text: string, kind: MarkKind, end: string): string {
  const parted = end === '~>' ? unguard(text, middle) : text
  return unguard(unguard(parted, closers[kind]) + end, opening).slice(0, -end.length)
}
