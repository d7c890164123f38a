/** So long an answer may be silent. A machine that has just gone to sleep doesn’t say that it has. */
const longest = 15_000

/** Answers of these never have a body. */
const bodiless = [204, 205, 304]

/** Whether what is sent may be long on its way for that alone. */
export function isLarge(body: BodyInit | null | undefined): boolean {
  const size = typeof body === 'string' ? body.length : body instanceof Blob ? body.size : 0
  return size > 64 * 1024
}

/** `fetch` that gives up where nothing is heard; what is long on its way because it is large may be. */
export const fetchWithIdleTimeout: typeof fetch = async (input, init) => {
  const controller = new AbortController()
  const give = () => controller.abort()
  init?.signal?.addEventListener('abort', give)
  let timer = setTimeout(give, isLarge(init?.body) ? 8 * longest : longest)
  const hear = () => {
    clearTimeout(timer)
    timer = setTimeout(give, longest)
  }
  try {
    const answer = await fetch(input, { ...init, signal: controller.signal })
    // Chromium gives an answer a body that may have none, as which it couldn’t be handed on.
    if (!answer.body || bodiless.includes(answer.status)) {
      clearTimeout(timer)
      return answer
    }
    hear()
    const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, rest) {
        hear()
        rest.enqueue(part)
      },
      flush: () => clearTimeout(timer),
    })
    return new Response(answer.body.pipeThrough(heard), answer)
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}
