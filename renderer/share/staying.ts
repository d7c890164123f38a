/** Who has only looked doesn’t stay so long without touching anything, in milliseconds. */
const glance = 5_000
const signs = ['pointerdown', 'keydown', 'scroll'] as const

/** Resolves once the reader seems to stay with the page, and the page has nothing better to do. */
export async function untilReaderStays(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const sign of signs) addEventListener(sign, () => resolve(), { passive: true, once: true })
    setTimeout(resolve, glance)
  })
  // Safari has none; there the reader’s own pace has to do.
  if ('requestIdleCallback' in window) await new Promise((done) => requestIdleCallback(done))
}
