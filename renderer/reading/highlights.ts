import { coloursOfPeople } from '../../server/contract/colours.ts'
import type { Mark, RenderedPoint } from '../../server/contract/records/rendering.ts'
import { inText, type Passage } from './points.ts'
import type { RenderedText } from './rendered-text.ts'

type Kind = Mark['kind']

/** Words that something is being written about, or that something waiting for delivery is about. */
export interface WrittenAbout {
  kind: Kind
  range: Range
}

/** How suggestions are drawn that are drawn in their author’s colour: by what they take out, if it is known. */
export interface SuggestionLook {
  colour: number
  /** Null where only the place is marked. */
  taken: readonly Range[] | null
  /** Another strikes some of the words that it takes out. */
  isCovered: boolean
}

const perColour = (name: string) =>
  Array.from({ length: coloursOfPeople }, (_, colour) => `${name}-${colour}`)

/**
 * What is drawn later stands above. Two have no looks of their own: `suggestion` says where suggestions stand, in whatever
 * colour, and `active` what is looked at, whichever kind it is.
 */
const names = [
  ...['suggestion', 'placed', ...perColour('placed')],
  ...['comment', 'comments'],
  ...perColour('taken'),
  ...['active', 'active-comment', 'active-suggestion'],
]

interface Painted {
  marks: readonly Mark[]
  active: string | null
  /** Of pending suggestions. */
  looks: (id: string) => SuggestionLook | null
  writtenAbout: WrittenAbout | null
  waiting: readonly WrittenAbout[]
}

/**
 * Draws marks in the text, and the passage that is being written about, without touching the text’s elements. A
 * browser that can’t do so shows the text alone.
 */
export function paintMarks(
  pane: RenderedText,
  { marks, active, looks, writtenAbout, waiting }: Painted,
): void {
  const view = pane.element.ownerDocument.defaultView
  if (!view || !('highlights' in view.CSS)) return
  const ranges = new Map(names.map((name) => [name, [] as Range[]]))
  const add = (name: string, ...more: readonly Range[]) => ranges.get(name)!.push(...more)
  const activate = (range: Range, kind: Kind) => {
    add('active', range)
    add(`active-${kind}`, range)
  }
  for (const mark of marks) {
    const range = pane.rangeOf(mark)
    if (!range) continue
    if (mark.id === active) activate(range, mark.kind)
    else add(mark.kind, range)
    if (mark.kind !== 'suggestion') continue
    const look = looks(mark.id)
    const colour = look && look.colour % coloursOfPeople
    if (look?.taken) add(`taken-${colour}`, ...look.taken)
    if ((!look?.taken || look.isCovered) && mark.id !== active)
      add(colour === null ? 'placed' : `placed-${colour}`, range)
  }
  const comments = marks.filter(({ id, kind }) => kind === 'comment' && id !== active)
  for (const stretch of sharedBy(comments)) {
    const range = pane.rangeOf(stretch)
    if (range) add('comments', range)
  }
  for (const { kind, range } of waiting) {
    add(kind, range)
    if (kind === 'suggestion') add('placed', range)
  }
  if (writtenAbout) activate(writtenAbout.range, writtenAbout.kind)
  for (const [priority, name] of names.entries()) {
    const highlight = new view.Highlight(...ranges.get(name)!)
    highlight.priority = priority
    view.CSS.highlights.set(name, highlight)
  }
}

/** The stretches that more than one of some passages have. */
export function sharedBy(passages: readonly Passage[]): Passage[] {
  const edges = passages.flatMap(({ from, to }) => [
    { at: from, opens: 1 },
    { at: to, opens: -1 },
  ])
  edges.sort((a, b) => inText(a.at, b.at) || a.opens - b.opens)
  const shared: Passage[] = []
  let open = 0
  let begins: RenderedPoint | null = null
  for (const { at, opens } of edges) {
    open += opens
    if (open === 2 && opens > 0) begins = at
    else if (open === 1 && opens < 0 && begins) shared.push({ from: begins, to: at })
  }
  return shared
}
