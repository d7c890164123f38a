import {
  Annotation,
  EditorSelection,
  StateEffect,
  StateField,
  type ChangeDesc,
  type Extension,
} from '@codemirror/state'
import { EditorView, layer, RectangleMarker, type LayerMarker, type ViewUpdate } from '@codemirror/view'
import { colourOf } from '../ui/person-colour.ts'
import { placeFlags, type FlagPlace } from './name-flags.ts'
import './others.css'

/** Somebody else who has the text open. */
export interface Person {
  id: string
  /** As it is shown. */
  name: string
  colour: number
}

/** Where somebody is, in the editor’s own offsets. */
interface PersonPlace {
  anchor: number
  head: number
}
export interface PlacedPerson {
  id: string
  at: PersonPlace | null
}

/** Who has made a change that came from elsewhere. */
export const madeBy = Annotation.define<string>()
const replacePeople = StateEffect.define<readonly Person[]>()
const movePeople = StateEffect.define<readonly PlacedPerson[]>()

interface MovedPlace extends PersonPlace {
  /** Counts everybody’s movements, at their last: the name shows for a moment after it. */
  moves: number
}
interface Others {
  people: readonly Person[]
  places: ReadonlyMap<string, MovedPlace>
}

const othersField = StateField.define<Others>({
  create: () => ({ people: [], places: new Map() }),
  update(others, transaction) {
    let { people, places } = others
    if (transaction.docChanged && places.size > 0)
      places = afterChange(places, transaction.changes, transaction.annotation(madeBy))
    for (const effect of transaction.effects) {
      if (effect.is(movePeople)) places = afterMoves(places, effect.value, transaction.state.doc.length)
      else if (effect.is(replacePeople)) {
        people = effect.value
        places = new Map([...places].filter(([id]) => people.some((person) => person.id === id)))
      }
    }
    return people === others.people && places === others.places ? others : { people, places }
  },
})

const nextMove = (places: Others['places']) =>
  Math.max(0, ...[...places.values()].map(({ moves }) => moves)) + 1

/** What somebody types comes before their own place; what others put in there comes after it. */
function afterChange(places: Others['places'], changes: ChangeDesc, author: string | undefined) {
  const next = nextMove(places)
  return new Map(
    [...places].map(([id, { anchor, head, moves }]) => {
      const isOwn = id === author
      const map = (at: number) => changes.mapPos(at, isOwn ? 1 : -1)
      return [id, { anchor: map(anchor), head: map(head), moves: isOwn ? next : moves }]
    }),
  )
}

function afterMoves(places: Others['places'], moved: readonly PlacedPerson[], length: number) {
  const now = new Map(places)
  for (const { id, at } of moved) {
    const before = now.get(id)
    now.delete(id)
    if (!at) continue
    const [anchor, head] = [Math.min(at.anchor, length), Math.min(at.head, length)]
    const isMoved = before?.anchor !== anchor || before.head !== head
    now.set(id, { anchor, head, moves: isMoved ? nextMove(places) : before.moves })
  }
  return now
}

/** Those whose place is known. */
const shown = ({ people, places }: Others) =>
  people.flatMap((person) => {
    const place = places.get(person.id)
    return place ? [{ ...person, ...place }] : []
  })
type Shown = ReturnType<typeof shown>[number]

/** Of a name, in rem. */
const [flagHeight, flagPadding, flagFont, widest] = [1.125, 0.35, 0.6875, 12]
let pen: CanvasRenderingContext2D | null = null
const widths = new Map<string, number>()
const mostWidths = 200

/** How much room a name takes, in pixels. */
function widthOf(name: string, { dom }: EditorView, rem: number): number {
  const key = `${rem} ${name}`
  const known = widths.get(key)
  if (known !== undefined) return known
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return widest * rem
  pen.font = `600 ${flagFont * rem}px ${getComputedStyle(dom).getPropertyValue('--font-ui') || 'system-ui'}`
  const width = Math.ceil(pen.measureText(name).width) + 2 * flagPadding * rem
  if (widths.size === mostWidths) widths.clear()
  widths.set(key, width)
  return width
}

/** A name goes in its own direction, which turns nothing of the sign behind it; where it is long, that sign stays. */
function writeName(flag: Element, name: string): void {
  const [, called = name, sign = ''] = /^(.*)( \((?:guest|agent|guest agent|script)\))$/s.exec(name) ?? []
  flag.replaceChildren(document.createElement('bdi'), document.createElement('b'))
  flag.firstElementChild!.textContent = called
  flag.lastElementChild!.textContent = sign
}

/** A caret with its owner’s name, which goes after a while without any movement. */
class Caret implements LayerMarker {
  readonly #person: Shown
  readonly #box: RectangleMarker
  readonly #flag: FlagPlace

  constructor(person: Shown, box: RectangleMarker, flag: FlagPlace) {
    this.#person = person
    this.#box = box
    this.#flag = flag
  }

  eq(other: Caret): boolean {
    const [mine, theirs] = [this.#person, other.#person]
    return (
      (['id', 'name', 'colour', 'moves'] as const).every((key) => mine[key] === theirs[key]) &&
      (['shift', 'above', 'below'] as const).every((key) => this.#flag[key] === other.#flag[key]) &&
      this.#box.eq(other.#box)
    )
  }

  static byId = (one: Caret, other: Caret) => (one.#person.id < other.#person.id ? -1 : 1)

  draw(): HTMLElement {
    const caret = document.createElement('div')
    caret.className = `other-caret ${colourOf(this.#person.colour)}`
    const flag = caret.appendChild(document.createElement('span'))
    writeName(flag, this.#person.name)
    this.#place(caret)
    return caret
  }

  /** The same person’s caret is moved, so that it needn’t be made anew. */
  update(caret: HTMLElement, before: Caret): boolean {
    if (before.#person.id !== this.#person.id) return false
    const isNamed = caret.classList.contains('other-caret-named')
    caret.className = `other-caret ${colourOf(this.#person.colour)}`
    caret.classList.toggle('other-caret-named', isNamed)
    writeName(caret.firstElementChild!, this.#person.name)
    this.#place(caret)
    if (before.#person.moves !== this.#person.moves) startAgain(caret, this.#goesElsewhere(before))
    return true
  }

  /** Further than from one line to the next, as one does who writes on. */
  #goesElsewhere(before: Caret): boolean {
    return Math.abs(this.#box.top - before.#box.top) > 1.5 * this.#box.height
  }

  #place(caret: HTMLElement): void {
    const { left, top, height } = this.#box
    caret.style.left = `${left}px`
    caret.style.top = `${top}px`
    caret.style.height = `${height}px`
    const { shift, above, below } = this.#flag
    caret.classList.toggle('other-caret-low', above === null)
    const flag = caret.firstElementChild as HTMLElement
    flag.style.left = `${shift}px`
    flag.style.bottom = above === null ? '' : `${height + above}px`
    flag.style.top = above === null ? `${height + below}px` : ''
    flag.style.maxWidth = `${widest}rem`
  }
}

/** Whoever hasn’t moved for so long is named again when they do, in ms. */
const quiet = 15_000

/**
 * Fading begins anew with each movement. Whoever goes on where they are has been named there: their name, which covers
 * words, stays away.
 */
function startAgain(caret: HTMLElement, isElsewhere: boolean): void {
  const [idle] = caret.getAnimations()
  const named = isElsewhere || Number(idle?.currentTime ?? Infinity) > quiet
  for (const animation of named ? caret.getAnimations({ subtree: true }) : [idle]) {
    if (!animation) continue
    animation.currentTime = 0
    animation.play()
  }
}

/** So near to a caret somebody who points there wants to know whose it is, in pixels. */
const near = 6

function nameThoseAt(at: { x: number; y: number } | null, { scrollDOM }: EditorView): void {
  for (const caret of scrollDOM.querySelectorAll('.other-caret')) {
    const { left, right, top, bottom } = caret.getBoundingClientRect()
    const isNear =
      at && at.x > left - near && at.x < right + near && at.y > top - near && at.y < bottom + near
    caret.classList.toggle('other-caret-named', !!isNear)
  }
}

/** Names those whose carets are pointed at, without being in the way of a press. */
const namedByPointing = EditorView.domEventObservers({
  mousemove: ({ clientX: x, clientY: y }, view) => nameThoseAt({ x, y }, view),
  mouseleave: (_event, view) => nameThoseAt(null, view),
})

const isOther = ({ docChanged, startState, state }: ViewUpdate) => {
  const [before, now] = [startState, state].map((one) => one.field(othersField))
  return before !== now || (docChanged && now!.places.size > 0)
}

/** Names make way for the line that is written in here. */
const isOtherOrOwn = (update: ViewUpdate) =>
  isOther(update) ||
  ((update.selectionSet || update.focusChanged) && update.state.field(othersField).places.size > 0)

const carets = layer({
  above: true,
  class: 'other-carets',
  update: isOtherOrOwn,
  markers(view) {
    const carets = shown(view.state.field(othersField)).flatMap((person) => {
      const [box] = RectangleMarker.forRange(view, '', EditorSelection.cursor(person.head))
      return box ? [{ person, box }] : []
    })
    if (carets.length === 0) return []
    // Whoever has moved last is named next to their caret.
    carets.sort((one, other) => other.person.moves - one.person.moves)
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
    const room = view.scrollDOM.clientWidth
    const poles = carets.map(({ person, box: { left, top, height } }) => {
      const width = Math.min(widthOf(person.name, view, rem), widest * rem, room)
      return { left, top, bottom: top + height, width }
    })
    const [own] = view.hasFocus
      ? RectangleMarker.forRange(view, '', EditorSelection.cursor(view.state.selection.main.head))
      : []
    const line = own ? { top: own.top, bottom: own.top + own.height } : null
    const flags = placeFlags(poles, flagHeight * rem, room, line)
    return carets.map(({ person, box }, i) => new Caret(person, box, flags[i]!)).sort(Caret.byId)
  },
})

const selections = layer({
  above: false,
  class: 'other-selections',
  update: isOther,
  markers: (view) =>
    shown(view.state.field(othersField)).flatMap(({ anchor, head, colour }) => {
      if (anchor === head) return []
      const name = `other-selection ${colourOf(colour)}`
      return RectangleMarker.forRange(view, name, EditorSelection.range(anchor, head))
    }),
})

/** Shows others, each where they are; from being told that on they move with the text. */
export const others: Extension = [othersField, selections, carets, namedByPointing]

export const setPeopleEffect = (people: readonly Person[]) => replacePeople.of(people)
export const placePeopleEffect = (places: readonly PlacedPerson[]) => movePeople.of(places)

/** Where somebody is now; null where they aren’t. */
export const placeOf = ({ state }: EditorView, id: string): number | null =>
  state.field(othersField).places.get(id)?.head ?? null
