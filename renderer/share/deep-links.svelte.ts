import { untrack } from 'svelte'
import { goneWords } from '../feedback/gone.ts'
import { bringIntoView } from './bring-into-view.ts'
import type { Reader } from './reader.svelte.ts'

const prefix = '#said-'

/** The address of this page, open at a comment or suggestion. */
export const linkTo = (id: string): string => `${location.origin}${location.pathname}${prefix}${id}`

/**
 * Goes where the page’s address points: to a heading or note of the text, which browsers miss in long texts whose parts
 * are laid out only when they come near, or to a comment or suggestion, once it is known.
 */
export function followAddress(reader: Reader): void {
  /** What is wanted, and how much had been heard by then. */
  let pending = $state.raw<{ id: string; heard: number } | null>(null)

  const follow = () => {
    const { hash } = location
    const { heard } = untrack(() => reader.feedback)
    pending = hash.startsWith(prefix) ? { id: hash.slice(prefix.length), heard } : null
    // It may be newer than what is here; as the page is opened all of it is on its way.
    if (pending !== null && heard > 0) reader.feedback.load().catch(() => undefined)
    if (pending !== null || hash === '') return
    const element = document.getElementById(named(hash))
    if (element && reader.pane.element.contains(element))
      void bringIntoView(() => element.getBoundingClientRect())
  }

  $effect.root(() => {
    $effect(() => {
      const { threads, suggestions, heard } = reader.feedback
      void reader.feedback.marks
      if (pending === null) return
      const { id: wanted, heard: before } = pending
      const thread = threads.find(({ root, replies }) => [root, ...replies].some(({ id }) => id === wanted))
      const id = thread?.id ?? suggestions.find((suggestion) => suggestion.id === wanted)?.id
      if (id === undefined && heard === before) return
      pending = null
      if (id !== undefined) return void reader.cards.goTo(id)
      untrack(() => sayGone(reader))
    })
  })

  addEventListener('hashchange', follow)
  document.addEventListener('click', ({ target }) => {
    // Going where the address points already changes nothing in it.
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]')
    if (link && link.hash === location.hash) follow()
  })
  follow()
}

function sayGone({ cards, notices }: Reader): void {
  const { comments, suggestions } = cards.open
  const action = { label: 'Show what is here', act: () => (cards.listOpen = true) }
  notices.say(goneWords(), false, comments + suggestions > 0 ? action : undefined)
}

function named(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
