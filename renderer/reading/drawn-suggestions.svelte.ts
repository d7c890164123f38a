import { untrack } from 'svelte'
import { coloursOfPeople } from '../../server/contract/colours.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { struckOnce } from '../editor/struck-once.ts'
import { colourOf, drawnColour } from '../ui/person-colour.ts'
import type { Drawn } from './draw-suggestion.ts'
import type { SuggestionLook } from './highlights.ts'
import { isText } from './points.ts'
import { SuggestionDrawer, type DrawnDocument, type WantedSuggestion } from './suggestion-drawer.ts'

/** The text that is read, and what is said of it. */
export interface TextWithCards extends DrawnDocument {
  readonly feedback: { readonly pending: readonly Suggestion[] }
  readonly cards: {
    readonly shownMarks: readonly Mark[]
    readonly activeId: string | null
    /** On whose card it stands, and which of those on one card is shown. */
    cardOf(id: string): string
    shownOn(card: string): string
  }
  readonly suggestionsInText: { readonly shown: boolean }
  /** Whether an editor stands in its place. */
  readonly editing?: { readonly open: boolean }
}

/** Pending suggestions as the text that is read shows them, each in the colour of whose it is. */
export class DrawnSuggestions {
  /** What is drawn so far, by id. */
  parts = $state.raw<ReadonlyMap<string, Drawn>>(new Map())
  /** Leaves what is drawn as it is by then. */
  readonly stop: () => void
  readonly #reader: TextWithCards
  readonly #drawer: SuggestionDrawer

  readonly #pending = $derived.by(() => {
    const { pending } = this.#reader.feedback
    return new Map(pending.map((one) => [one.id, { suggestion: one, colour: drawnColour(one) }]))
  })
  readonly #wanted = $derived.by((): readonly WantedSuggestion[] => {
    const { cards, suggestionsInText } = this.#reader
    if (!suggestionsInText.shown) return []
    return cards.shownMarks.flatMap((mark) => {
      const pending = this.#pending.get(mark.id)
      // Of one that can’t be applied any more there is nothing to see but its card.
      if (!pending?.suggestion.range) return []
      // Of several for the same words the one that their card shows.
      return cards.shownOn(cards.cardOf(mark.id)) === mark.id ? [{ mark, ...pending }] : []
    })
  })

  /** What of the words that each takes out it is that strikes them. */
  readonly #struck = $derived(struckIn(this.parts))

  constructor(reader: TextWithCards) {
    this.#reader = reader
    this.#drawer = new SuggestionDrawer(reader, (drawn) => (this.parts = drawn))
    this.stop = $effect.root(() => {
      $effect(() => {
        // Whoever opens an editor waits for that, and sees nothing of these.
        if (this.#reader.editing?.open) return
        const wanted = this.#wanted
        let stopped = false
        untrack(() => void this.#drawer.draw(wanted, () => stopped))
        return () => (stopped = true)
      })
      $effect(() => this.#activate())
    })
  }

  /** What gives the card of a pending one the colour of its author. */
  classOf(id: string): string | undefined {
    const colour = this.#colourOf(id)
    return colour === undefined ? undefined : colourOf(colour)
  }

  lookOf(id: string): SuggestionLook | null {
    const colour = this.#colourOf(id)
    const drawn = this.parts.get(id)
    // Of one that only adds signs, say, nothing is drawn but its place.
    const isSeen = drawn && drawn.taken.length + drawn.put.length > 0
    if (colour === undefined) return null
    const { taken, isCovered } = this.#struck.get(id) ?? { taken: [], isCovered: false }
    return { colour, taken: isSeen ? taken : null, isCovered }
  }

  #colourOf(id: string): number | undefined {
    return this.#pending.get(id)?.colour
  }

  /** Has the one that is looked at stand out, also in what it puts in. */
  #activate(): void {
    const { cards, text } = this.#reader
    const { activeId } = cards
    for (const [id, { put }] of this.parts)
      for (const one of put) one.classList.toggle('now', id === activeId)
    const colour = activeId === null ? undefined : this.#colourOf(activeId)
    // A highlight has no class; it takes the colour of what it stands in.
    const value = colour === undefined ? null : `var(--person-${colour % coloursOfPeople})`
    text.pane.element.style.setProperty('--person', value)
  }
}

type Struck = Omit<SuggestionLook, 'colour'> & { taken: Range[] }

function struckIn(parts: ReadonlyMap<string, Drawn>): ReadonlyMap<string, Struck> {
  const takings = [...parts].flatMap(([id, { taken }]) =>
    taken
      .filter(({ startContainer }) => startContainer.isConnected)
      .map((range) => ({ id, range, from: edgeOf(range, true), to: edgeOf(range, false) })),
  )
  const struck = new Map<string, Struck>()
  const compare = (one: Range, other: Range) => one.compareBoundaryPoints(0, other)
  for (const { one, from, isCovered } of struckOnce(takings, compare)) {
    const { taken, isCovered: wasCovered } = struck.get(one.id) ?? { taken: [], isCovered: false }
    const rest = one.range.cloneRange()
    rest.setStart(from.startContainer, from.startOffset)
    // What begins behind its own end has none left.
    struck.set(one.id, {
      taken: compare(from, one.to) < 0 ? [...taken, rest] : taken,
      isCovered: wasCovered || isCovered,
    })
  }
  return struck
}

/**
 * Where its first text begins or its last ends. Where another suggestion has parted a text at its edge, it begins behind all
 * of the text before, which a browser takes for another place.
 */
function edgeOf(range: Range, toStart: boolean): Range {
  const edge = range.cloneRange()
  edge.collapse(toStart)
  const page = range.startContainer.ownerDocument!
  const walker = page.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  walker.currentNode = edge.startContainer
  const isOutside = ({ startContainer: at, startOffset }: Range) =>
    isText(at) && startOffset === (toStart ? at.data.length : 0)
  while (isOutside(edge)) {
    const text = (toStart ? walker.nextNode() : walker.previousNode()) as Text | null
    if (!text || !range.intersectsNode(text)) break
    edge.setStart(text, toStart ? 0 : text.data.length)
    edge.collapse(true)
  }
  return edge
}
