import { linkAddress } from '../../server/domain/link-address.ts'

/** What there may be in a text without being shown: of links where they lead, and the signs of formatting and lists. */
export const markup = new RegExp(
  `\\]${linkAddress}|${/^[ \t>]*(?:\d{1,9}[.)]|[-+])(?=\s)|[*_~`[\]\\]/.source}`,
  'gm',
)

/** What a text says without white space and what `unseen` matches, and where each character of that stands in it. */
export function readSource(text: string, unseen: RegExp | null = markup): { said: string; places: number[] } {
  const places: number[] = []
  let said = ''
  const show = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (/\s/.test(text[at]!)) continue
      said += text[at]
      places.push(at)
    }
  }
  let seen = 0
  for (const { index, 0: sign } of unseen ? text.matchAll(unseen) : []) {
    show(seen, index)
    seen = index + sign.length
  }
  show(seen, text.length)
  return { said, places }
}
