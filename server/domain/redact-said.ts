import { forgottenMark, redactText } from './redact-log.ts'

/**
 * Takes a passage out of what people say of a text: there each stretch of white space may have become another one, as a
 * name is one line, and at the ends of what is said none is left.
 */
export function redactSaid(passage: string): (said: string) => string {
  const parts = passage.split(/\s+/)
  const pattern = parts
    .map((part, i) => {
      const words = part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      if (i === 0) return words
      if (i === 1 && parts[0] === '') return `(?:^|\\s+)${words}`
      return i === parts.length - 1 && part === '' ? '(?:\\s+|$)' : `\\s+${words}`
    })
    .join('')
  // Looking ahead finds those that overlap, too.
  const anywhere = new RegExp(`(?=(${pattern}))`, 'g')
  return (said) => {
    let redacted = redactText(said, passage)
    if (parts.length === 1) return redacted
    for (const { index, 1: words } of said.matchAll(anywhere))
      redacted =
        redacted.slice(0, index) +
        words!.replace(/[^\r\n]/g, forgottenMark) +
        redacted.slice(index + words!.length)
    return redacted
  }
}
