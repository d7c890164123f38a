/** Who has only looked doesn’t stay so long without touching anything, in milliseconds. */
const glance = 5_000
/** So long the text stands there alone, where nobody does anything, after it has its face. */
const firstLook = 700
/** A face that takes longer isn’t waited for. */
const patience = 3_000
/** A page that is busy or out of sight may never have nothing better to do; the rest comes then all the same. */
const busy = 2_000
const signs = ['pointerdown', 'keydown', 'scroll'] as const

/** Resolves once the reader seems to stay with the page, and the page has nothing better to do. */
export async function untilReaderStays(): Promise<void> {
  await Promise.race([untilOneOf(signs), pass(glance)])
  await untilIdle()
}

/** Resolves once what the page has beside its text is wanted, or all that the text needs has come. */
export async function untilWanted(): Promise<void> {
  // A copy has to say that it is one, and an address may point into what is said.
  if (location.hash !== '' || document.body.dataset.keptAt !== undefined) return
  const alone = Promise.race([untilTextStands(), pass(patience)])
    .then(() => pass(firstLook))
    .then(untilIdle)
  await Promise.race([untilOneOf([...signs, 'pointermove', 'focusin', 'selectionchange']), alone])
}

const pass = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const untilOneOf = (events: readonly (keyof DocumentEventMap)[]) =>
  new Promise<void>((resolve) => {
    for (const event of events)
      document.addEventListener(event, () => resolve(), { passive: true, once: true })
  })

async function untilTextStands(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  // Only what has been laid out has asked for its face.
  document.body.getBoundingClientRect()
  await document.fonts.ready
}

/** Safari has nothing that tells; there the reader’s own pace has to do. */
const untilIdle = () =>
  new Promise<void>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(() => resolve(), { timeout: busy }) : resolve(),
  )
