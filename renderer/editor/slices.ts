/** So long in one go, in ms: what waits behind it comes in the same frame. */
const sliceLength = 4

/**
 * Does a long work in slices, between which keys are answered and frames drawn. Calls `onDone` with what comes of it,
 * unless it is stopped before by what this returns.
 */
export function inSlices<Result>(
  work: Generator<void, Result>,
  onDone: (result: Result) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const slice = () => {
    const end = performance.now() + sliceLength
    do {
      const { done, value } = work.next()
      if (done) return onDone(value)
    } while (performance.now() < end)
    timer = setTimeout(slice)
  }
  slice()
  return () => clearTimeout(timer)
}
