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
  let pending = $state<string | null>(null)

  const follow = () => {
    const { hash } = location
    pending = hash.startsWith(prefix) ? hash.slice(prefix.length) : null
    if (pending !== null || hash === '') return
    const element = document.getElementById(named(hash))
    if (element && reader.pane.element.contains(element))
      void bringIntoView(() => element.getBoundingClientRect())
  }

  $effect.root(() => {
    $effect(() => {
      const { threads, suggestions } = reader.feedback
      void reader.feedback.marks
      if (pending === null) return
      const thread = threads.find(({ root, replies }) => [root, ...replies].some(({ id }) => id === pending))
      const id = thread?.id ?? suggestions.find((suggestion) => suggestion.id === pending)?.id
      if (id === undefined) return
      pending = null
      void reader.cards.goTo(id)
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

function named(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
