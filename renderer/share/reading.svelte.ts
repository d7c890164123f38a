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
      const typing = document.activeElement?.matches('input, textarea') ?? false
      reader.writing.chosen = typing ? null : pane.chosen()
    }, 150)
  })

  pane.element.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a, summary, button')) return
    if (document.getSelection()?.isCollapsed === false) return
    const [mark] = pane.marksAt(event.clientX, event.clientY, reader.shownMarks)
    reader.activate(mark?.id ?? null)
    if (mark && !reader.withMargin.current) reader.listOpen = true
  })

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && reader.activeId && !reader.listOpen) reader.activate(null)
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
