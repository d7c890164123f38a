import {
  Annotation,
  EditorSelection,
  StateEffect,
  StateField,
  type ChangeDesc,
  type Extension,
} from '@codemirror/state'
import { layer, RectangleMarker, type EditorView, type LayerMarker, type ViewUpdate } from '@codemirror/view'
import { coloursOfPeople } from '../../server/contract/live.ts'
import './others.css'

/** Somebody else who has the text open. */
export interface Person {
  id: string
  /** As it is shown. */
  name: string
  colour: number
}

/** Where somebody is, in the editor’s own offsets. */
interface Place {
  anchor: number
  head: number
}
export interface PlacedPerson {
  id: string
  at: Place | null
}

export const colourOf = (colour: number) => `person-${colour % coloursOfPeople}`

/** Who has made a change that came from elsewhere. */
export const madeBy = Annotation.define<string>()
const replacePeople = StateEffect.define<readonly Person[]>()
const movePeople = StateEffect.define<readonly PlacedPerson[]>()

interface Placed extends Place {
  /** Counts their movements: the name shows for a moment after each. */
  moves: number
}
interface Others {
  people: readonly Person[]
  places: ReadonlyMap<string, Placed>
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

/** What somebody types comes before their own place; what others put in there comes after it. */
const afterChange = (places: Others['places'], changes: ChangeDesc, author: string | undefined) =>
  new Map(
    [...places].map(([id, { anchor, head, moves }]) => {
      const isOwn = id === author
      const map = (at: number) => changes.mapPos(at, isOwn ? 1 : -1)
      return [id, { anchor: map(anchor), head: map(head), moves: isOwn ? moves + 1 : moves }]
    }),
  )

function afterMoves(places: Others['places'], moved: readonly PlacedPerson[], length: number) {
  const now = new Map(places)
  for (const { id, at } of moved) {
    const before = now.get(id)
    now.delete(id)
    if (!at) continue
    const [anchor, head] = [Math.min(at.anchor, length), Math.min(at.head, length)]
    const isMoved = before?.anchor !== anchor || before.head !== head
    now.set(id, { anchor, head, moves: (before?.moves ?? 0) + (isMoved ? 1 : 0) })
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

/** A caret with its owner’s name, which goes after a while without any movement. */
class Caret implements LayerMarker {
  readonly #person: Shown
  readonly #box: RectangleMarker

  constructor(person: Shown, box: RectangleMarker) {
    this.#person = person
    this.#box = box
  }

  eq(other: Caret): boolean {
    const [mine, theirs] = [this.#person, other.#person]
    return (
      (['id', 'name', 'colour', 'moves'] as const).every((key) => mine[key] === theirs[key]) &&
      this.#box.eq(other.#box)
    )
  }

  draw(): HTMLElement {
    const caret = document.createElement('div')
    caret.className = `other-caret ${colourOf(this.#person.colour)}`
    const flag = caret.appendChild(document.createElement('span'))
    flag.textContent = this.#person.name
    flag.dir = 'auto'
    this.#place(caret)
    return caret
  }

  /** The same person’s caret is moved, so that it needn’t be made anew. */
  update(caret: HTMLElement, before: Caret): boolean {
    if (before.#person.id !== this.#person.id) return false
    caret.className = `other-caret ${colourOf(this.#person.colour)}`
    caret.firstElementChild!.textContent = this.#person.name
    this.#place(caret)
    if (before.#person.moves !== this.#person.moves) startAgain(caret)
    return true
  }

  #place(caret: HTMLElement): void {
    const { left, top, height } = this.#box
    caret.style.left = `${left}px`
    caret.style.top = `${top}px`
    caret.style.height = `${height}px`
    // The flag of a caret in the first line would be cut off.
    caret.classList.toggle('other-caret-low', top < 18)
  }
}

/** Fading begins anew with each movement. */
function startAgain(caret: HTMLElement): void {
  for (const animation of caret.getAnimations({ subtree: true })) {
    animation.currentTime = 0
    animation.play()
  }
}

const isOther = ({ docChanged, startState, state }: ViewUpdate) =>
  docChanged || startState.field(othersField) !== state.field(othersField)

const carets = layer({
  above: true,
  class: 'other-carets',
  update: isOther,
  markers: (view) =>
    shown(view.state.field(othersField)).flatMap((person) => {
      const [box] = RectangleMarker.forRange(view, '', EditorSelection.cursor(person.head))
      return box ? [new Caret(person, box)] : []
    }),
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
export const others: Extension = [othersField, selections, carets]

export const setPeopleEffect = (people: readonly Person[]) => replacePeople.of(people)
export const placePeopleEffect = (places: readonly PlacedPerson[]) => movePeople.of(places)

/** Where somebody is now; null where they aren’t. */
export const placeOf = ({ state }: EditorView, id: string): number | null =>
  state.field(othersField).places.get(id)?.head ?? null
