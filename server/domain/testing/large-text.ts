/** Large texts for tests, and how much of them is read. */

/** Deterministic prose of about so many characters. */
export function prose(length: number, seed = 7): string {
  const random = (n: number) => Math.floor(((seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32) * n)
  const vocabulary = Array.from({ length: 3000 }, () =>
    Array.from({ length: 2 + random(9) }, () => 'etaoinshrdlucmfwyp'[random(18)]).join(''),
  )
  let text = ''
  while (text.length < length) {
    const words = Array.from({ length: 80 }, () => vocabulary[Math.min(random(3000), random(3000))])
    text += words.join(' ') + '.\n\n'
  }
  return text
}
/** With lines of at most so many characters. */
export const wrapped = (text: string, width: number) =>
  text.replace(/[^\n]+/g, (paragraph) =>
    paragraph.replace(new RegExp(`(.{1,${width}})( |$)`, 'g'), '$1\n').trim(),
  )

/** Much of one text, in few parts. */
export const megabytes = (part: string, count: number) =>
  flat(part.repeat(Math.ceil((count * 2 ** 20) / part.length)).slice(0, count * 2 ** 20))
/** As texts come in: whole, not put together from pieces. */
export const flat = (text: string) => Buffer.from(text).toString()
/** How many times a single character is looked at, whatever the budget says. */
export function charactersRead(during: () => void): number {
  let times = 0
  const { charCodeAt } = String.prototype
  const counting = (value: typeof charCodeAt) =>
    Object.defineProperty(String.prototype, 'charCodeAt', { value, writable: true, configurable: true })
  counting(function (this: string, at: number) {
    times++
    return charCodeAt.call(this, at)
  })
  try {
    during()
  } finally {
    counting(charCodeAt)
  }
  return times
}
