import { readDrawn, readLine } from '../editor/read-line.ts'
import { outermost } from './put-beside.ts'

/** Items of a list, or a list of them, that aren’t in the text. */
export const putItemClass = 'put-item'

export interface PutItem {
  /** How far in its line begins. */
  indent: number
  /** Null of a bullet; what isn’t known of a sign, its list says. */
  number: number | null
  box: '☐' | '☑' | null
  words: string
}

const note = /^ {0,3}\[\^[^\s[\]]+\]:[ \t]*(?=\S)/
const item = /^([ \t>]*)(?:[-+*]|(\d{1,9})[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(?=\S)/
const realItems = `:scope > li:not(.${putItemClass})`

export const isItem = (line: string): boolean => item.test(line)

/** The items that lines are; null where any of them is something else, or further out than the first. */
export function itemsIn(lines: string): PutItem[] | null {
  const items = readItems(lines, readDrawn)
  return items?.every(({ indent }) => indent >= items[0]!.indent) ? items : null
}

/** The items that lines are, wherever they stand; null where any of them is something else, or there are none. */
export function readItems(lines: string, read = readLine): PutItem[] | null {
  const found = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): PutItem | null => {
      const [all, indent, number, box] = item.exec(line) ?? []
      if (all === undefined) return null
      return {
        ...{ indent: widthOf(indent!), number: number === undefined ? null : Number(number) },
        ...{
          box: box === undefined ? null : box === ' ' ? '☐' : '☑',
          words: read(line.slice(all.length)),
        },
      }
    })
  const items = found.filter((one) => one !== null)
  return items.length === found.length && items.length > 0 ? items : null
}

/** A tab is as far in as any list takes for one level. */
const widthOf = (indent: string) => indent.replaceAll('\t', '    ').length

/** The footnotes that lines are, as items of their list; null where any of them is something else. */
export function notesIn(lines: string): PutItem[] | null {
  const found = lines.split('\n').filter((line) => line.trim() !== '')
  if (found.length === 0 || !found.every((line) => note.test(line))) return null
  return found.map((line) => ({ indent: 0, number: 1, box: null, words: readDrawn(line.replace(note, '')) }))
}

/**
 * Puts items beside another, behind those that are put there already; `draw` makes what stands in one. Those of the text
 * keep their numbers, as they are what people read and speak of.
 * @param line the source of the item beside, as far as it is known
 */
export function putItems(
  beside: HTMLLIElement,
  side: 'before' | 'behind',
  items: readonly PutItem[],
  line: string,
  draw: (words: string) => HTMLElement,
): void {
  const { indent, number } = items[0]!
  const own = widthOf(item.exec(line)?.[1] ?? ' '.repeat(indent))
  const [isDeeper, isOutside] = [side === 'behind' && indent >= own + 2, indent < own]
  const at = isOutside ? outermost(beside, 'li')! : beside
  const page = beside.ownerDocument
  const list = isDeeper ? page.createElement(number === null ? 'ul' : 'ol') : at.parentElement!
  const before = isDeeper ? 0 : [...list.querySelectorAll(realItems)].indexOf(at) + Number(side === 'behind')
  const first = (list as HTMLOListElement).start ?? 1
  const isNumbered = list.matches('ol')
  const made = makeItems(page, items, draw, isNumbered ? first + before : null)
  if (!isDeeper) for (const element of made) element.className = putItemClass
  if (isDeeper) {
    list.className = putItemClass
    list.append(...made)
    return at.append(list)
  }
  if (side === 'before') return at.before(...made)
  let last = at
  while (last.nextElementSibling?.matches(`.${putItemClass}`)) last = last.nextElementSibling
  last.after(...made)
}

/**
 * Makes items of a list, with those below them; `draw` makes what stands in one.
 * @param from the number of the first, in a list that has numbers
 */
export function makeItems(
  page: Document,
  items: readonly PutItem[],
  draw: (words: string) => HTMLElement,
  from: number | null,
): HTMLLIElement[] {
  const made: HTMLLIElement[] = []
  let open: Open[] = []
  for (const one of items) {
    const element = page.createElement('li')
    element.append(draw(one.words))
    open = open.filter((above) => above.indent + 2 <= one.indent)
    const above = open.at(-1)
    if (above) listBelow(above, one).append(element)
    else {
      // Counted by themselves, they would change the numbers of all that follow.
      element.style.counterIncrement = 'list-item 0'
      if (one.number !== null) element.style.listStyleType = `"${from === null ? 1 : from + made.length}. "`
      else if (from !== null) element.style.listStyleType = 'disc'
      made.push(element)
    }
    if (one.box !== null) element.style.listStyleType = `"${one.box} "`
    open.push({ element, indent: one.indent })
  }
  return made
}

/** An item that may get others below it. */
interface Open {
  element: HTMLLIElement
  indent: number
}

/** The list in an item that another goes on with, or begins. */
function listBelow({ element }: Open, { number }: PutItem): Element {
  const last = element.lastElementChild
  const name = number === null ? 'ul' : 'ol'
  if (last?.matches(name)) return last
  const list = element.ownerDocument.createElement(name)
  if (number !== null) (list as HTMLOListElement).start = number
  element.append(list)
  return list
}
