import { createSubscriber } from 'svelte/reactivity'

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 20_000)
  return () => clearInterval(timer)
})

/** The time now, in milliseconds; whoever reads it while drawing is drawn again as it passes. */
export function now(): number {
  subscribe()
  return Date.now()
}
