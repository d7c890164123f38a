import { Transform, type Readable, type Writable } from 'node:stream'
import { bytes } from '../contract/figures.ts'
import { limits } from '../contract/limits.ts'

/** A line may have so many bytes: as much as a message by HTTP. */
export const longestLine = limits.mcpBodyBytes

/** Of a longer line so much of its beginning and its end is looked at for the id that it has. */
const looked = 1_024

/** What comes in, line by line. What is no message is answered so, which the SDK passes over, and so is what is too long. */
export function messagesIn(input: Readable, output: Writable): Readable {
  const answer = (id: string, code: number, message: string) =>
    output.write(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}\n`)
  let begun: Buffer[] = []
  let length = 0
  /** The beginning of the line, once it is too long. */
  let tooLong: string | undefined
  const add = (part: Buffer) => {
    begun.push(part)
    length += part.length
    if (length <= longestLine) return
    const line = Buffer.concat(begun)
    tooLong ??= line.subarray(0, looked).toString()
    begun = [line.subarray(-looked)]
    length = longestLine
  }
  const end = (): Buffer | undefined => {
    const line = Buffer.concat(begun)
    const start = tooLong
    begun = []
    length = 0
    tooLong = undefined
    if (start !== undefined) {
      const most = bytes(Math.floor(longestLine / 1024 / 1024) * 1024 * 1024)
      answer(
        idIn(start, line.toString()),
        -32_600,
        `A message here may have ${most} at most; this one is longer, and nothing was done. Send it in parts.`,
      )
      return undefined
    }
    const text = line.toString()
    if (text.trim() === '') return undefined
    try {
      JSON.parse(text)
      return line
    } catch {
      // What sent it may wait for an answer.
      answer('null', -32_700, 'Parse error: not JSON')
      return undefined
    }
  }
  const messages = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10)) {
        add(chunk.subarray(0, at + 1))
        const line = end()
        if (line) this.push(line)
        chunk = chunk.subarray(at + 1)
      }
      if (chunk.length > 0) add(chunk)
      done()
    },
  })
  return input.pipe(messages)
}

const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`
/** Programs write it before all else, or behind it. */
const first = new RegExp(String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,80}"\s*,\s*)*${id}`)
const last = new RegExp(String.raw`${id}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

/** The id of a message of which only the beginning and the end are known, as JSON. */
export const idIn = (start: string, end: string): string =>
  first.exec(start)?.[1] ?? last.exec(end)?.[1] ?? 'null'
