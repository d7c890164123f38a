import { paintMarks } from './highlights.ts'
import type { Reader } from './reader.svelte.ts'

/** Ties the text on the page to the reader: its marks, what is selected, what is clicked, and the keys. */
export function followReading(reader: Reader): void {
  const { pane } = reader

  $effect.root(() => {
    $effect(() =>
      paintMarks(
        pane,
        reader.shownMarks,
        reader.activeId,
        reader.writing.composing?.chosen ?? null,
        reader.waitingPlaces.values(),
      ),
    )
    $effect(() => {
      document.body.classList.toggle('editing', reader.editing)
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
  document.addEventListener('selectionchange', () => {
    if (!reader.canComment || reader.editing) return
    clearTimeout(settle)
    settle = setTimeout(() => {
      // Typing a comment moves the selection into its field; what was selected in the text is then of no interest.
      reader.writing.chosen = isField(document.activeElement) ? null : pane.chosen()
      // The words are chosen for something new: the sheet makes way for what can be done with them.
      if (reader.writing.chosen && !reader.withMargin.current) reader.activate(null)
    }, 150)
  })

  pane.element.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a, summary, button')) return
    if (document.getSelection()?.isCollapsed === false) return
    const marks = pane.marksAt(event.clientX, event.clientY, reader.shownMarks)
    // Of several at one place each click opens the next.
    const last = marks.findIndex(({ id }) => id === reader.activeId)
    const mark = marks[(last + 1) % marks.length]
    if (mark) void reader.goTo(mark.id)
    else reader.activate(null)
  })

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && reader.activeId && !reader.listOpen) reader.activate(null)
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && event.altKey && !isField(event.target)) {
      if (reader.editing || reader.listOpen || reader.walk.length === 0) return
      event.preventDefault()
      reader.step(event.key === 'ArrowDown' ? 1 : -1)
    }
    if (event.code === 'KeyM' && event.altKey && (event.ctrlKey || event.metaKey) && reader.canComment) {
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

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, textarea, [contenteditable]')
