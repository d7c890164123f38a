/** The length of a text in Unicode code points, which is what limits on titles and names count. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length--
      i++
    }
  }
  return length
}

/** At most the first so many code points of a text. */
export function firstCodePoints(text: string, most: number): string {
  let end = 0
  for (let count = 0; count < most && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
