import type { FastifyInstance } from 'fastify'
import { invalid } from '../contract/errors.ts'

// `ignoreBOM` keeps a byte-order mark in the text, where JSON doesn't allow one: it is refused, not silently dropped.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads JSON bodies without changing a character: bytes that aren't UTF-8 and strings that aren't well-formed Unicode
 * are refused, because storing them would alter them.
 */
export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json/i, { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    try {
      const value: unknown = JSON.parse(decode(bytes as Buffer))
      refuseLoneSurrogates(value)
      done(null, value)
    } catch (error) {
      done(error instanceof SyntaxError ? invalid('The body is not valid JSON.') : (error as Error))
    }
  })
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/** Walks with a list of its own: nesting is the sender's choice, the stack's depth is not. */
function refuseLoneSurrogates(value: unknown) {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (!next.isWellFormed())
        throw invalid('The text holds half a character (a lone surrogate) and can’t be stored.')
    } else if (typeof next === 'object' && next !== null) {
      // Not `push(...values)`: a large array would overflow the stack.
      for (const one of Object.values(next)) pending.push(one)
    }
  }
}
