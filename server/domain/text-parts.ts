import type { Range } from '../contract/records/anchors.ts'

/** A longer text is searched in parts. */
export const longText = 300_000
const partLength = 200_000
/** What stands together within so much is in one of two parts as a whole. */
const overlap = 2_000
/** So far a border is moved so that it is between words. */
const reach = 1_000

/** The parts of a long text, which overlap. None begins or ends inside of a word, unless that is very long. */
export function textParts(text: string): Range[] {
  const parts: Range[] = []
  let start = 0
  for (;;) {
    const end = text.length - start <= partLength ? text.length : borderBefore(text, start + partLength)
    parts.push({ start, end })
    if (end === text.length) return parts
    start = borderAfter(text, end - overlap)
  }
}

function borderBefore(text: string, at: number): number {
  const space = text.slice(at - reach, at).search(/\s\S*$/)
  return space >= 0 ? at - reach + space : beforeCharacter(text, at)
}

function borderAfter(text: string, at: number): number {
  const space = text.slice(at, at + reach).search(/\s/)
  return space >= 0 ? at + space : beforeCharacter(text, at)
}

const beforeCharacter = (text: string, at: number) =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at
