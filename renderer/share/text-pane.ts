import { RenderedText } from '../reading/rendered-text.ts'
import { bringIntoView } from './bring-into-view.ts'
import { intoParts, layOut } from './parts.ts'
import { findPassage, offsetOf, partOf, passageOf, type Passage } from '../reading/points.ts'
import { blocksBelow, topLine, type ShownLine } from '../reading/top-line.ts'

/** A passage that was chosen, with the words the reader sees there. */
export interface Chosen extends Passage {
  words: string
  /** How far into the text it begins, from 0 to 1. */
  part: number
  /** Of the text it was chosen in: its points mean nothing in another. */
  revision: number
}

/** The rendered text on the page. */
export class TextPane extends RenderedText {
  #revision: number

  constructor(element: HTMLElement, revision: number) {
    super(element)
    this.#revision = revision
  }

  /** What is selected in the text, if anything is. */
  chosen(): Chosen | null {
    const selection = document.getSelection()
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
    const range = selection.getRangeAt(0)
    const passage = passageOf(this.element, range)
    if (!passage) return null
    return this.#describe(passage, selection.toString().trim())
  }

  /** Where the first line of a passage stands in the window, also in a part that wasn’t laid out before. */
  rectOf(passage: Passage): DOMRect | null {
    return this.#laidOut(passage)?.getClientRects()[0] ?? null
  }

  /** Where all of a passage stands in the window, also in parts that weren’t laid out before. */
  boundsOf(passage: Passage): DOMRect | null {
    return this.#laidOut(passage)?.getBoundingClientRect() ?? null
  }

  /** Where a chosen passage stands; null once another text is shown. */
  rangeOfChosen(chosen: Chosen): Range | null {
    return chosen.revision === this.#revision ? this.rangeOf(chosen) : null
  }

  /** The same words in the text as it is now; null if they are gone. */
  findAgain(chosen: Chosen): Chosen | null {
    const passage = findPassage(this.element, chosen.words, chosen.part)
    return passage && this.#describe(passage, chosen.words)
  }

  /** A chosen passage in the text that is shown; null if its words are gone. */
  standing(chosen: Chosen): Chosen | null {
    return this.rangeOfChosen(chosen) ? chosen : this.findAgain(chosen)
  }

  /** Where these words stand nearest to a part of the text, from 0 to 1. */
  findWords(words: string, part: number): Passage | null {
    return findPassage(this.element, words, part)
  }

  /**
   * Where the block that holds a source offset of some revision has these words, the nearest to there; null where it
   * doesn’t show them, or another text is shown.
   */
  findNear(words: string, offset: number, revision = this.#revision): Chosen | null {
    const wanted = words.replace(/\s+/g, '')
    const block = this.blockAround(offset)
    if (!block || wanted === '' || revision !== this.#revision) return null
    const { start, end, shown } = block
    // How far into the block that is, as far as its source tells.
    const near = end === null ? offset - start : ((offset - start) / (end - start)) * shown.length
    let char = -1
    for (let at = shown.indexOf(wanted); at >= 0; at = shown.indexOf(wanted, at + 1)) {
      const ends = at + wanted.length
      if (char < 0 || Math.abs(ends - near) < Math.abs(char + wanted.length - near)) char = at
    }
    if (char < 0) return null
    const passage = { from: { block: start, char }, to: { block: start, char: char + wanted.length } }
    return this.#describe(passage, words.trim())
  }

  /** Shows another rendering of the text, with the reader’s place kept. */
  replace(html: string, revision: number): void {
    const place = this.#place()
    this.#revision = revision
    this.forget()
    this.element.innerHTML = html
    intoParts(this.element)
    if (place) this.#return(place)
  }

  /** The line that is read first below the bars, which end at `edge`. */
  lineBelow(edge: number): (ShownLine & { revision: number; part: number }) | null {
    const line = topLine(this.element, edge)
    return line && { ...line, revision: this.#revision, part: partOf(this.element, line) }
  }

  /** The block that holds a source offset, which shows `shown`, white space aside; `end` is where the next one begins. */
  blockAround(offset: number): { start: number; end: number | null; shown: string } | null {
    let found: HTMLElement | null = null
    let end: number | null = null
    for (const block of this.#blocks()) {
      const at = offsetOf(block)
      // Notes stand at the end of the page, wherever their source does.
      if (at <= offset && (!found || at > offsetOf(found))) found = block
      if (at > offset && (end === null || at < end)) end = at
    }
    return found && { start: offsetOf(found), end, shown: (found.textContent ?? '').replace(/\s+/g, '') }
  }

  /** Where a block stands that has no words. */
  rectOfBlock(start: number): DOMRect | null {
    const block = this.element.querySelector(`[data-b="${start}"]`)
    if (block) layOut(block)
    return block?.getBoundingClientRect() ?? null
  }

  #laidOut(passage: Passage): Range | null {
    const range = this.rangeOf(passage)
    if (range) layOut(range.startContainer, range.endContainer)
    return range
  }

  #describe(passage: Passage, words: string): Chosen {
    return { ...passage, words, part: partOf(this.element, passage), revision: this.#revision }
  }

  #blocks(): NodeListOf<HTMLElement> {
    return this.element.querySelectorAll<HTMLElement>('[data-b]')
  }

  #topBlock(): Element | undefined {
    for (const block of blocksBelow(this.element, 64))
      if (block.getBoundingClientRect().bottom > 64) return block
    return undefined
  }

  #place() {
    const block = this.#topBlock()
    if (!block || window.scrollY < 8) return null
    const index = [...this.#blocks()].findIndex((one) => one === block)
    return { index, text: block.textContent, top: block.getBoundingClientRect().top }
  }

  #return({ index, text, top }: { index: number; text: string | null; top: number }): void {
    const blocks = [...this.#blocks()]
    const same = blocks
      .map((block, i) => ({ block, away: Math.abs(i - index) }))
      .filter(({ block }) => block.textContent === text)
      .sort((a, b) => a.away - b.away)[0]
    const block = same?.block ?? blocks[Math.min(index, blocks.length - 1)]
    if (!block) return
    layOut(block)
    void bringIntoView(
      () => block.getClientRects()[0] ?? null,
      () => top,
    )
  }
}
