/** How often it is asked again whether somebody still may, in ms. */
const askedAgainEvery = 1_000

/**
 * What ends soon after somebody may no longer have what they were let in for: their credential is deleted, expires or
 * allows less. It is for whatever goes on for longer than a moment, until `stop` is called.
 */
export function whileAllowed(authorize: () => void): { ended: AbortSignal; stop: () => void } {
  const ending = new AbortController()
  const asking = setInterval(() => {
    try {
      authorize()
    } catch {
      stop()
      ending.abort()
    }
  }, askedAgainEvery).unref()
  const stop = () => clearInterval(asking)
  return { ended: ending.signal, stop }
}
