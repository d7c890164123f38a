import { placeless } from '../feedback/placeless.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { markName, onWords } from '../feedback/mark-name.ts'
import { shortcuts } from '../../server/contract/shortcuts.ts'
import { matches } from '../ui/keys.ts'
import { paintMarks, type WrittenAbout } from '../reading/highlights.ts'
import { notedMark, noteMarks, type MarkNote } from '../reading/mark-notes.ts'
import type { Reader } from './reader.svelte.ts'

/** Ties the text on the page to the reader: its marks, what is selected, what is clicked, and the keys. */
export function followReading(reader: Reader): void {
  const { pane } = reader

  $effect.root(() => {
    $effect(() =>
      paintMarks(pane, {
        marks: reader.cards.shownMarks,
        active: reader.cards.activeId,
        looks: (id) => reader.suggestionsInText.drawn?.lookOf(id) ?? null,
        writtenAbout: writtenAbout(reader),
        waiting: waitingMarks(reader),
      }),
    )
    $effect(() => reader.suggestionsInText.follow(reader))
    $effect(() => noteMarks(pane.element, notesOf(reader)))
    $effect(() => {
      document.body.classList.toggle('editing', reader.editing.open)
      document.body.classList.toggle('listing', reader.cards.listOpen)
    })
    $effect(() => {
      if (reader.link.hasLetComment) document.body.classList.add('commented')
    })
    // Only as long as it takes: pages that ask so come back more slowly.
    $effect(() => {
      if (!reader.outbox.wouldLose) return
      const warn = (event: BeforeUnloadEvent) => event.preventDefault()
      addEventListener('beforeunload', warn)
      return () => removeEventListener('beforeunload', warn)
    })
  })

  let settle: ReturnType<typeof setTimeout> | undefined
  const onSelection = () => {
    if (!reader.link.canComment || reader.editing.open) return
    clearTimeout(settle)
    settle = setTimeout(() => {
      // Typing a comment moves the selection into its field; what was selected in the text is then of no interest.
      reader.selected.words = isField(document.activeElement) ? null : pane.chosen()
      // The words are chosen for something new: the sheet makes way for what can be done with them.
      if (reader.selected.words && !reader.cards.withMargin.current) reader.cards.activate(null)
    }, 150)
  }
  document.addEventListener('selectionchange', onSelection)
  // Who chose words while this was still on its way.
  if (pane.chosen()) onSelection()

  pane.element.addEventListener('click', (event) => {
    const target = event.target as Element
    const noted =
      notedMark(target) ?? target.closest<HTMLElement>('[data-suggestion]')?.dataset.suggestion ?? null
    if (noted !== null) return void reader.cards.goTo(noted)
    if (target.closest('a, summary, button')) return
    if (document.getSelection()?.isCollapsed === false) return
    const marks = pane.marksAt(event.clientX, event.clientY, reader.cards.shownMarks)
    // Of several at one place each click opens the next.
    const last = marks.findIndex(({ id }) => id === reader.cards.activeId)
    const mark = marks[(last + 1) % marks.length]
    if (mark) void reader.cards.goTo(mark.id)
    else reader.cards.activate(null)
  })

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && reader.cards.activeId && !reader.cards.listOpen) reader.cards.activate(null)
    const by = stepOf(event)
    if (by !== 0) {
      const { listOpen, open, walk } = reader.cards
      const left = open.comments + open.suggestions
      if (listOpen || (walk.length === 0 && left === 0)) return
      event.preventDefault()
      if (walk.length > 0) reader.cards.step(by)
      else reader.notices.say(placeless(left))
    }
    if (event.code === 'KeyM' && event.altKey && (event.ctrlKey || event.metaKey) && reader.link.canComment) {
      event.preventDefault()
      reader.compose()
    }
  })

  // A list of headings that covers the text goes away once one was chosen.
  const outline = document.getElementById('outline')
  outline?.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a') && outline.matches(':popover-open')) outline.hidePopover()
  })
}

/** To the next of what was said, or the one before: by the owner’s keys everywhere, and by arrows where nobody types. */
function stepOf(event: KeyboardEvent): 1 | -1 | 0 {
  if (matches(event, shortcuts['next-said'])) return 1
  if (matches(event, shortcuts['previous-said'])) return -1
  if (!event.altKey || event.shiftKey || isField(event.target)) return 0
  return event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
}

const waitingMarks = ({ cards, pane }: Reader): WrittenAbout[] =>
  cards.waiting.flatMap(({ key, kind }) => {
    const chosen = cards.waitingPlaces.get(key)
    const range = chosen && pane.rangeOfChosen(chosen)
    return range ? [{ kind: kind === 'suggestion' ? 'suggestion' : 'comment', range }] : []
  })

function writtenAbout({ pane, writing: { composing, suggesting } }: Reader): WrittenAbout | null {
  const { chosen } = composing ?? suggesting ?? { chosen: null }
  const standing = chosen && pane.standing(chosen)
  const range = standing && pane.rangeOf(standing)
  return range && { kind: composing ? 'comment' : 'suggestion', range }
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, textarea, [contenteditable]')

/** What is said of the marks to who can’t see them. */
function notesOf({
  cards: { shownMarks, waitingPlaces },
  feedback,
  pane,
  suggestionsInText: { nameOf },
}: Reader): MarkNote[] {
  const authors = new Map(
    [...feedback.comments, ...feedback.suggestions].map((one) => [one.id, nameOfAuthor(one)]),
  )
  const suggestions = new Map(feedback.suggestions.map((one) => [one.id, one]))
  return [
    ...shownMarks.flatMap((mark): MarkNote[] => {
      const range = pane.rangeOf(mark)
      if (!range) return []
      const suggestion = suggestions.get(mark.id)
      const label = suggestion && nameOf ? nameOf(suggestion) : markName(mark, range, authors.get(mark.id))
      return [{ id: mark.id, label, range }]
    }),
    ...[...waitingPlaces].flatMap(([key, place]): MarkNote[] => {
      const range = pane.rangeOfChosen(place)
      return range ? [{ id: key, label: `Yours, waiting,${onWords(range)}`, range }] : []
    }),
  ]
}
