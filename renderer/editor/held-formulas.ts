import { asDrawn, wholes } from './read-line.ts'

/** Blocks of code, also such as nothing ends. */
const blocks = String.raw`^[ \t>]*(?<fence>${'`'}{3,}|~{3,})(?<info>[^\n${'`'}]*)\n(?<lines>(?:[^\n]*\n)*?)(?:[ \t>]*\k<fence>[${'`'}~]*[ \t]*$|[^\n]*(?![^]))`
const anywhere = new RegExp(`${blocks}|${wholes}`, 'gm')

/** Signs that no text has stand for formulas. */
const [first, last] = [0xf0000, 0xf0fff]
const signs = /[\u{F0000}-\u{F0FFF}]/gu

/** Texts in which each formula is one sign, so that none is taken apart, and the same one the same in all of them. */
export class HeldFormulas {
  readonly #sources: string[] = []

  hold(text: string): string {
    return text.replace(signs, '').replace(anywhere, (source: string, ...found) => {
      const { maths, info = '', lines = '' } = found.at(-1) as Record<string, string | undefined>
      if (maths !== undefined) return this.#signOf(maths)
      return /^[ \t]*math\b/.test(info) ? this.#signOf(`$$${lines.trimEnd()}$$`) : source
    })
  }

  #signOf(source: string): string {
    const known = this.#sources.indexOf(source)
    const at = known < 0 ? this.#sources.push(source) - 1 : known
    return first + at <= last ? String.fromCodePoint(first + at) : source
  }

  /** What has their signs, with their sources in place of these: `partsOf` parts them from the words. */
  drawn(text: string): string {
    return text.replace(signs, (sign) => asDrawn(this.#sources[sign.codePointAt(0)! - first] ?? ''))
  }
}
