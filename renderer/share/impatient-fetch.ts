/** So long an answer may take to begin. A machine that has just gone to sleep doesn’t say that it has. */
const longest = 15_000

/** `fetch` that gives up where nothing is heard; what is long on its way because it is large may be. */
export const impatientFetch: typeof fetch = async (input, init) => {
  const large = typeof init?.body === 'string' && init.body.length > 64 * 1024
  const controller = new AbortController()
  const give = () => controller.abort()
  init?.signal?.addEventListener('abort', give)
  const timer = setTimeout(give, large ? 8 * longest : longest)
  try {
    return await fetch(input, { ...init, signal: controller.signal })
  } finally {
    clearTimeout(timer)
  }
}
