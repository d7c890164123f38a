import { GalleyError, invalid } from '../contract/errors.ts'

// `ignoreBOM` keeps a byte-order mark in the text, where JSON doesn't allow one: it is refused, not silently dropped.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a JSON body without changing a character: bytes that aren't UTF-8 and strings that aren't well-formed Unicode
 * are refused, because storing them would alter them.
 * @throws GalleyError VALIDATION_ERROR
 */
export const readJson = (bytes: Uint8Array): unknown => parse(bytes, {})

/** The same of a message, whose strings are looked at later: an answer to what isn’t well-formed has to name it. */
export const readMessage = (bytes: Uint8Array): unknown => parse(bytes, { halves: true })

function parse(bytes: Uint8Array, allowed: Allowed): unknown {
  try {
    if (holdsMoreValues(bytes, mostValues)) throw invalid('The body holds too many values.')
    const value: unknown = JSON.parse(decode(bytes))
    if (!allowed.halves) mendContext(value)
    refuseUnfit(value, allowed)
    return value
  } catch (error) {
    throw error instanceof SyntaxError ? invalid('The body is not valid JSON.') : error
  }
}

type Read = { value: unknown } | { refused: string }

/** The same, where what is wrong can be handed on. */
const orSay =
  (read: (bytes: Uint8Array) => unknown) =>
  (bytes: Uint8Array): Read => {
    try {
      return { value: read(bytes) }
    } catch (error) {
      if (error instanceof GalleyError) return { refused: error.message }
      throw error
    }
  }
export const readJsonOrSay = orSay(readJson)
export const readMessageOrSay = orSay(readMessage)

/**
 * No route reads as many. A text of 10 MiB may come as 60 MiB of JSON, but the same length full of values would take
 * gigabytes to read, and whoever holds an edit link can send it.
 */
const mostValues = 100_000

/** Whether there are more, judged by the commas and brackets outside of strings, without reading what they hold. */
function holdsMoreValues(bytes: Uint8Array, most: number): boolean {
  if (bytes.length <= most) return false
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at)
    else if (byte === 0x2c /* , */ || byte === 0x5b /* [ */ || byte === 0x7b /* { */) {
      if (++values > most) return true
    }
  }
  return false
}

const quote = 0x22
const backslash = 0x5c

function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/**
 * What stands around an anchor’s words is cut from the text at some length, which may be within an emoji. The half
 * character at that end is left away: what is left says as much of the place.
 */
export function mendContext(body: unknown) {
  if (typeof body !== 'object' || body === null || !('anchor' in body)) return
  const { anchor } = body
  if (typeof anchor !== 'object' || anchor === null) return
  if ('prefix' in anchor && typeof anchor.prefix === 'string')
    anchor.prefix = anchor.prefix.replace(/^[\uDC00-\uDFFF]/, '')
  if ('suffix' in anchor && typeof anchor.suffix === 'string')
    anchor.suffix = anchor.suffix.replace(/[\uD800-\uDBFF]$/, '')
}

/** Nothing that is read here is nested as deep. What goes one call deeper with each level would run out of its stack. */
const mostLevels = 1_000

interface Allowed {
  /** Whether strings may hold half a character. */
  halves?: true
}

/**
 * Walks with a list of its own: nesting is the sender's choice, the stack's depth is not.
 * @throws GalleyError VALIDATION_ERROR
 */
export function refuseUnfit(value: unknown, { halves }: Allowed = {}) {
  const pending: unknown[] = [value]
  /** How deep each of these is. */
  const levels = [1]
  while (pending.length > 0) {
    const next = pending.pop()
    const level = levels.pop()!
    if (level > mostLevels) throw invalid(`The body is nested more than ${mostLevels} levels deep.`)
    if (typeof next === 'string') {
      if (!halves && !next.isWellFormed())
        throw invalid('The text holds half a character (a lone surrogate) and can’t be stored.')
    } else if (typeof next === 'object' && next !== null) {
      // Not `push(...values)`: a large array would overflow the stack.
      for (const one of Object.values(next)) {
        pending.push(one)
        levels.push(level + 1)
      }
    }
  }
}
