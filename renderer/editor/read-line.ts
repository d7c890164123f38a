import { readContext } from './stray-marks.ts'

export { lineSigns } from '../../server/domain/sign-change.ts'

/** What begins or ends lines of code. */
export const fence = /^[ \t]*(?:`{3}|~{3})/

const picture = /!\[([^[\]]*)\]\([^()\s]*\)/g
const code = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g
/** Stands for a piece of code, whose signs are its own. */
const instead = '\uE000'

/** A line as people read it, without the signs of bold, italics, links, code and pictures. */
export function readLine(line: string): string {
  const codes: string[] = []
  const rest = line.replace(code, (_, _ticks, words: string) => {
    codes.push(words)
    return instead
  })
  return readContext(rest.replace(picture, (_, name: string) => name || 'a picture')).replaceAll(
    instead,
    (sign) => codes.shift() ?? sign,
  )
}
