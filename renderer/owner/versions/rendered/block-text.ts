import { piecesOf, wordsOf, type BlockPiece } from './block-pieces.ts'

/** An element and the characters in it. */
export interface BlockElement {
  name: string
  from: number
  to: number
  /** Its tags among the pieces. */
  open: number
  close: number
  /** How many elements of its name it stands in. */
  depth: number
}

/** Characters of a block that were taken out or put in. */
export interface ChangeMark {
  from: number
  to: number
  kind: 'removed' | 'added'
  /** The numbers of the changes it belongs to. */
  changes: readonly number[]
}

/** What is written into a block beside its own characters. All of it is markup that is safe. */
export interface Inserts {
  /** Behind characters. */
  behind: Map<number, string>
  /** Before pieces. */
  atPiece: Map<number, string>
}

const voids = new Set('br img hr input wbr col source'.split(' '))
const inline = new Set(
  'a abbr b bdi bdo br cite code del dfn em font i img ins input kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
const kept = new Set('b code del em i ins kbd mark q s samp small strike strong sub sup tt u'.split(' '))

/**
 * A rendered block, taken apart. Its characters are counted as places on a page are: in UTF-16 units, without white
 * space.
 */
export class BlockText {
  readonly html: string
  /** All characters. */
  readonly said: string
  readonly elements: BlockElement[] = []
  readonly #pieces: BlockPiece[] = []
  /** Before which characters there is white space, or where another paragraph begins. */
  readonly #gaps = new Set<number>()
  readonly #spaces = new Map<number, string>()

  constructor(html: string) {
    this.html = standingAlone(html)
    let said = ''
    for (const piece of piecesOf(this.html)) {
      this.#pieces.push(piece)
      const { from, kind } = piece
      if (kind === 'space') this.#spaces.set(from, piece.html)
      if (kind === 'space' || (kind === 'tag' && (!inline.has(piece.name) || piece.name === 'br')))
        this.#gaps.add(from)
      if (kind === 'char' || kind === 'formula') said += wordsOf(piece.html)
    }
    this.said = said
    this.#findElements()
  }

  #findElements(): void {
    const open: BlockElement[] = []
    for (const [i, { kind, name, isClosing, from }] of this.#pieces.entries()) {
      if (kind !== 'tag' || voids.has(name)) continue
      if (isClosing) {
        const element = open.pop()
        if (element) Object.assign(element, { to: from, close: i })
      } else {
        const depth = open.filter((other) => other.name === name).length
        const element = { name, from, to: from, open: i, close: i, depth }
        open.push(element)
        this.elements.push(element)
      }
    }
  }

  /** A range that holds words and formulas wholly or not at all. */
  widened(from: number, to: number): { from: number; to: number } {
    let [start, end] = [from, to]
    for (const { kind, from, to } of this.#pieces) {
      if (kind !== 'formula') continue
      if (from < start && to > start) start = from
      if (from < end && to > end) end = to
    }
    while (this.isWithinWord(start)) start--
    while (this.isWithinWord(end)) end++
    return { from: start, to: end }
  }

  /** Whether a word goes on at a character. */
  isWithinWord(at: number): boolean {
    if (at <= 0 || at >= this.said.length || this.#gaps.has(at)) return false
    const around = [...this.said.slice(Math.max(0, at - 2), at)].at(-1)! + this.said[at]!
    return isWord.test(around) || /^[\ud800-\udbff]?$/.test(this.said[at - 1]!) || joins.test(this.said[at]!)
  }

  /** The white space before a character. */
  spaceAt(at: number): string {
    return this.#spaces.get(at) ?? ''
  }

  /** The paragraph, cell or the like that a character stands in, as the pieces it begins and ends with. */
  holderOf(char: number): BlockElement | undefined {
    return this.elements.findLast(
      ({ name, from, to }) => from <= char && char < to && !inline.has(name) && name !== 'div',
    )
  }

  /** The piece before which something stands before a character, and outside of all that is emphasised from there on. */
  pieceBefore(char: number): number {
    let i = this.#pieces.findIndex(
      ({ kind, from, to }) => (kind === 'char' || kind === 'formula') && from <= char && char < to,
    )
    for (let last = this.#pieces[i - 1]; last; last = this.#pieces[--i - 1])
      if (last.kind !== 'tag' || last.isClosing || !inline.has(last.name) || voids.has(last.name)) break
    return i
  }

  /** The block with some of its words marked. */
  marked(marks: readonly ChangeMark[], inserts: Inserts = noInserts): string {
    return this.#write(0, this.#pieces.length, marks, inserts)
  }

  /** An element, all of which was taken out. */
  takenOut({ open, close, from, to }: BlockElement, changes: readonly number[]): string {
    return this.#write(open, close + 1, [{ from, to, kind: 'removed', changes }], noInserts)
  }

  #write(first: number, end: number, marks: readonly ChangeMark[], inserts: Inserts): string {
    let out = ''
    let next = 0
    let open: ChangeMark | null = null
    let said: ChangeMark | null = null
    const turnTo = (mark: ChangeMark | null) => {
      if (mark === open) return
      if (open) out += endTag(open)
      if (mark) out += startTag(mark, mark !== said)
      said = mark ?? said
      open = mark
    }
    const at = (char: number): ChangeMark | null => {
      while (next < marks.length && marks[next]!.to <= char) next++
      const mark = marks[next]
      return mark && mark.from <= char ? mark : null
    }
    for (let i = first; i < end; i++) {
      const { kind, html, from, to } = this.#pieces[i]!
      const here = inserts.atPiece.get(i)
      if (here !== undefined) {
        turnTo(null)
        out += here
      }
      if (kind === 'tag' || (kind === 'space' && at(from) !== open)) turnTo(null)
      if (kind === 'tag' || kind === 'space') {
        out += html
        continue
      }
      turnTo(at(from))
      out += html
      const behind = inserts.behind.get(to - 1)
      if (behind === undefined) continue
      turnTo(null)
      out += behind
    }
    turnTo(null)
    return out
  }

  /** Some characters of one paragraph as they are set there, without links; null where they hold more than words. */
  slice(from: number, to: number): string | null {
    let out = ''
    const open: string[] = []
    const isCode = this.holderOf(from)?.name === 'pre'
    for (const { kind, name, isClosing, html, from: start } of this.#pieces) {
      if (start >= to) break
      if (kind !== 'tag') {
        if (start >= from && html.startsWith('<div')) return null
        if (start >= from && (kind !== 'space' || start > from)) out += html
      } else if (start > from && (!inline.has(name) || name === 'img' || name === 'input')) return null
      else if (name === 'code' && isCode) continue
      else if (kept.has(name) && !isClosing) {
        open.push(name)
        if (start >= from || this.#staysOpen(name, start, from)) out += `<${name}>`
        else open[open.length - 1] = ''
      } else if (kept.has(name)) {
        const last = open.pop()
        if (last) out += `</${last}>`
      }
    }
    for (const name of open.toReversed()) if (name) out += `</${name}>`
    return out
  }

  #staysOpen(name: string, start: number, at: number): boolean {
    return this.elements.some((one) => one.name === name && one.from === start && one.to > at)
  }
}

const noInserts: Inserts = { behind: new Map(), atPiece: new Map() }

/** Scripts that put no space between words have no words that could be cut. */
const isWord =
  /^(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{N}\p{M}]){2}$/u
const joins = /^(?:\p{M}|\u200d|\ufe0f)/u

/** Begins and ends what is marked, which is told apart without colour and heard as what it is. */
export const startTag = ({ kind, changes }: Pick<ChangeMark, 'kind' | 'changes'>, isFirst = true): string =>
  `<${tags[kind]} class="changed" data-changes="${changes.join(' ')}">${
    isFirst ? `<span class="said">${kind}: </span>` : ''
  }`
export const endTag = ({ kind }: Pick<ChangeMark, 'kind'>): string => `</${tags[kind]}>`
const tags = { removed: 'del', added: 'ins' } as const

/**
 * Two texts stand on one page, and neither is that page: nothing in them has a name or leads to one, and what isn’t a link
 * there has no link’s role, nor a name that is said instead of what it shows.
 */
export const standingAlone = (html: string) =>
  html.replace(/<[a-z][^>]*>/g, (tag) =>
    tag
      .replace(' role="region"', ' role="group"')
      .replace(/ (?:id|href)="(?:user-content-[^"]*|#[^"]*)"/g, '')
      .replace(/ role="doc-(?:noteref|backlink)" aria-label="[^"]*"/, '')
      .replace(/^<details(?! open)/, '<details open'),
  )
