import { decodeNamedCharacterReference } from 'decode-named-character-reference'

/** Character references as markdown knows them. */
export const reference = /&(?:#[xX][\da-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]*);/g

/** The characters a reference such as `&auml;` or `&#228;` stands for; itself if it stands for none. */
export function decodeReference(ref: string): string {
  const name = ref.slice(1, -1)
  if (name[0] !== '#') return decodeNamedCharacterReference(name) || ref
  const code = name[1] === 'x' || name[1] === 'X' ? parseInt(name.slice(2), 16) : Number(name.slice(1))
  const forbidden = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
  return forbidden || code === 0xfdd0 || code === 0xfdd1 ? '\uFFFD' : String.fromCodePoint(code)
}

export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replace(reference, decodeReference) : text
}

/** Code that is longer isn’t looked for, so that unpaired signs don’t take long. */
const codeOrReference = new RegExp(`(?<!\`)(\`+)(?!\`)[^]{1,5000}?(?<!\`)\\1(?!\`)|${reference.source}`, 'g')

/** Markdown whose references are read, but for those in code, which stand for nothing else. */
export const readReferences = (source: string): string =>
  source.replace(codeOrReference, (one) => (one[0] === '&' ? decodeReference(one) : one))
