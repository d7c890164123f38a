/**
 * Long answers are made in slices, between which others are answered. Everybody shares one thread: what takes longer
 * than some milliseconds at a time is noticed by all.
 */

/** Others' requests are looked after before what comes next. */
export const letOthers = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** About so many characters are made at a time. */
const slice = 512 * 1024

/** Whether an answer holds so much text that it is made in slices. */
export const isLong = (value: unknown) => charactersIn(value, slice) > slice

/** About how long a value is as JSON; of one that is longer than `most`, something above that. */
export function charactersIn(value: unknown, most = Infinity): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let count = 0
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) {
      count += charactersIn(one, most - count)
      if (count > most) break
    }
    return count
  }
  for (const key in value) {
    const one = (value as Record<string, unknown>)[key]
    // Most are texts, and every answer goes through here.
    count += key.length + (typeof one === 'string' ? one.length : charactersIn(one, most - count))
    if (count > most) break
  }
  return count
}

/** A text as UTF-8. */
export const bytesOf = (text: string) => encoded(partsOf(text))

/** A value as JSON, the same that `JSON.stringify` writes; it is plain data. */
export const jsonBytes = (value: unknown) => encoded(jsonParts(value))

/** The parts one after the other, as UTF-8. */
async function encoded(parts: Iterable<string>): Promise<Buffer> {
  const done: Buffer[] = []
  for await (const text of gathered(parts)) done.push(Buffer.from(text))
  return done.length === 1 ? done[0]! : Buffer.concat(done)
}

/** Parts put together to slices, with a pause after each. */
export async function* gathered(parts: Iterable<string>): AsyncGenerator<string> {
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < slice) continue
    yield text
    text = ''
    await letOthers()
  }
  if (text !== '') yield text
}

/** A text cut where no character is. */
export function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + slice, text.length)
    const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    if (isHigh && end < text.length) end++
    yield text.slice(at, end)
    at = end
  }
}

export function* jsonParts(value: unknown): Generator<string> {
  if (!isLong(value)) yield JSON.stringify(value)
  else if (typeof value === 'string') {
    yield '"'
    for (const part of partsOf(value)) yield JSON.stringify(part).slice(1, -1)
    yield '"'
  } else if (Array.isArray(value)) {
    let before = '['
    for (const one of value as unknown[]) {
      yield before
      yield* jsonParts(one ?? null)
      before = ','
    }
    yield ']'
  } else {
    let before = '{'
    for (const [key, one] of Object.entries(value as object)) {
      if (one === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* jsonParts(one)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
