import { withoutCrowds } from '../../../server/markdown/crowded-marks.ts'
import type { Line, LineSegment } from './shown-lines.ts'

/** How a person is drawn and named. */
export interface DrawnPerson {
  name: string
  /** The class that has their colour and kind of line. */
  look: string
}

/**
 * Draws a text in an element, and of the next one only what is different: one moment of a long text differs from another
 * in a line or two.
 */
export class DrawnText {
  readonly #host: HTMLElement
  readonly #person: (number: number) => DrawnPerson
  #lines: readonly Line[] = []

  constructor(host: HTMLElement, person: (number: number) => DrawnPerson) {
    this.#host = host
    this.#person = person
  }

  draw(lines: readonly Line[]): void {
    const old = this.#lines
    patch(this.#host, old, lines, (a, b) => a.key === b.key, {
      make: (line) => this.#lineElement(line),
      change: (element, before, after) => this.#changeLine(element as HTMLElement, before, after),
    })
    this.#lines = lines
  }

  /** Draws everything anew, where people are called or drawn otherwise. */
  redraw(): void {
    const lines = this.#lines
    this.#host.replaceChildren()
    this.#lines = []
    this.draw(lines)
  }

  /** The first thing that is marked as changed. */
  get firstChange(): HTMLElement | null {
    return this.#host.querySelector('ins, del')
  }

  #lineElement(line: Line): HTMLElement {
    const element = document.createElement('p')
    element.dir = 'auto'
    for (const segment of line.segments) element.append(this.#segmentNode(segment))
    dress(element, line)
    return element
  }

  #changeLine(element: HTMLElement, before: Line, after: Line): void {
    patch(element, before.segments, after.segments, isSame, { make: (segment) => this.#segmentNode(segment) })
    dress(element, after)
  }

  #segmentNode({ text, mark, author, by }: LineSegment): Node {
    const shown = withoutCrowds(text.replaceAll('\r', ''))
    if (mark === null && author === null) return document.createTextNode(shown)
    const number = mark === null ? author! : by
    const person = this.#person(number)
    const element = document.createElement(mark === 'added' ? 'ins' : mark === 'removed' ? 'del' : 'span')
    element.className = person.look
    element.title =
      mark === null ? person.name : `${mark === 'added' ? 'Added' : 'Removed'} by ${person.name}`
    if (mark === null) element.dataset['author'] = String(number)
    const said = document.createElement('span')
    said.className = 'said'
    said.textContent = mark === null ? `${person.name}: ` : `${mark} by ${person.name}: `
    element.append(said)
    const isBreak = shown.trim() === '' && shown.includes('\n')
    element.append(isBreak ? breakSign() : '', mark === 'added' ? shown.replaceAll('\n', '') : shown)
    return element
  }
}

/** The sign is no part of the text that is copied. */
function breakSign(): HTMLElement {
  const sign = document.createElement('span')
  sign.className = 'break'
  sign.ariaHidden = 'true'
  sign.textContent = '↵'
  return sign
}

const isSame = (a: LineSegment, b: LineSegment) =>
  a.text === b.text && a.mark === b.mark && a.author === b.author && a.by === b.by

/** How a line of markdown looks: as what it begins like. */
function dress(element: HTMLElement, { segments }: Line): void {
  const begins = segments.find(({ mark }) => mark !== 'removed')?.text ?? ''
  const heading = /^#{1,6}(?=\s|$)/.exec(begins)?.[0].length
  element.className = heading === undefined ? '' : `h${Math.min(heading, 3)}`
}

/** Brings an element’s children, one for each of the old things, to the new ones. */
function patch<Thing>(
  parent: HTMLElement,
  old: readonly Thing[],
  next: readonly Thing[],
  same: (a: Thing, b: Thing) => boolean,
  draw: { make: (thing: Thing) => Node; change?: (node: Node, before: Thing, after: Thing) => void },
): void {
  const most = Math.min(old.length, next.length)
  let head = 0
  while (head < most && same(old[head]!, next[head]!)) head++
  let tail = 0
  while (tail < most - head && same(old[old.length - 1 - tail]!, next[next.length - 1 - tail]!)) tail++
  const changed = draw.change ? Math.min(old.length, next.length) - head - tail : 0
  let node = parent.childNodes[head] ?? null
  for (let i = head; i < head + changed; i++) {
    draw.change!(node!, old[i]!, next[i]!)
    node = node!.nextSibling
  }
  for (let i = head + changed; i < old.length - tail; i++) {
    const following = node!.nextSibling
    node!.remove()
    node = following
  }
  const fresh = document.createDocumentFragment()
  for (let i = head + changed; i < next.length - tail; i++) fresh.append(draw.make(next[i]!))
  parent.insertBefore(fresh, node)
}
