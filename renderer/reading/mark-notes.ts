import { isElement } from './points.ts'
import { outermost, takenClass } from './put-beside.ts'

/** A mark in the text: what a screen reader says of it, behind its words. */
export interface MarkNote {
  id: string
  label: string
  range: Range
}

const className = 'mark-note'
/** What can’t have anything put into it: it stands behind all of it then. */
const closed = `a, button, summary, pre, .maths, .img, svg, .${takenClass}`

/**
 * Puts a note behind each mark, since a highlight is nothing but colour to who can’t see it. Notes have no text, so
 * that the words on the page stay what they are: for finding, copying and choosing them.
 */
export function noteMarks(root: Element, notes: readonly MarkNote[]): void {
  const wanted = new Map(notes.map((note) => [note.id, note]))
  const there = new Set<string>()
  for (const element of root.querySelectorAll<HTMLElement>(`.${className}`)) {
    const note = wanted.get(element.dataset.note!)
    if (note) {
      if (element.getAttribute('aria-label') !== note.label) element.setAttribute('aria-label', note.label)
      there.add(note.id)
      continue
    }
    const parent = element.parentNode
    element.remove()
    parent?.normalize()
  }
  for (const { id, label, range } of notes)
    if (!there.has(id)) put(makeNote(root.ownerDocument, id, label), range)
}

/** The mark whose note this is, or is in. */
export const notedMark = (target: Element): string | null =>
  target.closest<HTMLElement>(`.${className}`)?.dataset.note ?? null

function makeNote(page: Document, id: string, label: string): HTMLElement {
  const note = page.createElement('span')
  note.className = className
  note.dataset.note = id
  note.tabIndex = -1
  note.setAttribute('role', 'button')
  note.setAttribute('aria-label', label)
  note.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    note.click()
  })
  return note
}

function put(note: HTMLElement, range: Range): void {
  const { endContainer } = range
  const element = isElement(endContainer) ? endContainer : endContainer.parentElement
  const whole = outermost(element, closed)
  if (whole) return whole.after(note)
  const end = range.cloneRange()
  end.collapse(false)
  end.insertNode(note)
}
