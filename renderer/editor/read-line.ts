import { linkAddress } from '../../server/domain/link-address.ts'
import { decodeReferences } from '../../server/markdown/entities.ts'
import { readContext } from './stray-marks.ts'

export { lineSigns } from '../../server/domain/sign-change.ts'

/** What begins or ends lines of code. */
export const fence = /^[ \t]*(?:`{3}|~{3})/

const picture = new RegExp(String.raw`!\[([^[\]]*)\]${linkAddress}`, 'g')
const code = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g
/** Stands for a piece of code, whose signs are its own. */
const instead = '\uE000'

/** A line as people read it, without the signs of bold, italics, links, code and pictures, and with what references stand for. */
export function readLine(line: string): string {
  const codes: string[] = []
  const rest = line.replace(code, (_, _ticks, words: string) => {
    codes.push(words)
    return instead
  })
  const read = readContext(rest.replace(picture, (_, name: string) => name || 'a picture'))
  // In code a reference such as `&lt;` stands for itself.
  return decodeReferences(read).replaceAll(instead, (sign) => codes.shift() ?? sign)
}
