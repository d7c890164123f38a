import { atHeader, keptFor, pageHeader, patience, untilHeader } from '../worker-protocol.ts'

interface Answered {
  answer: Response
  /** The server has said that the link opens nothing. */
  isDead: boolean
  /** The page is being kept. */
  fresh?: Promise<unknown>
}

type PageCache = Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>

/**
 * The page as the server has it, which is kept, or else as it was kept. Whatever isn’t Galley’s own answer counts as
 * none: a tunnel’s error page, a hotel’s sign-in page.
 */
export async function answerPage(
  request: Request,
  cache: PageCache,
  { fetch = globalThis.fetch, now = Date.now, wait = patience } = {},
): Promise<Answered> {
  const kept = await keptPage(request.url, cache, now())
  const asked = fetch(request).then(
    (answer) => ({ answer, sort: answer.headers.get(pageHeader) }),
    () => null,
  )
  const late = new Promise<null>((resolve) => setTimeout(resolve, wait, null))
  const got = await (kept ? Promise.race([asked, late]) : asked)
  if (got?.sort === 'share' && got.answer.ok) {
    return { answer: got.answer, isDead: false, fresh: put(cache, request.url, got.answer.clone(), now()) }
  }
  if (got?.sort === 'dead-link') return { answer: got.answer, isDead: true }
  if (kept) return { answer: kept, isDead: false }
  return { answer: got?.answer ?? Response.error(), isDead: false }
}

/** Reads the page from the server and keeps it. */
export async function keepPage(
  address: string,
  cache: PageCache,
  { fetch = globalThis.fetch, now = Date.now } = {},
): Promise<'kept' | 'dead' | 'away'> {
  const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null)
  const sort = answer?.headers.get(pageHeader)
  if (sort === 'dead-link') return 'dead'
  if (!answer || sort !== 'share' || !answer.ok) return 'away'
  await put(cache, address, answer, now())
  return 'kept'
}

async function put(cache: PageCache, url: string, answer: Response, at: number): Promise<void> {
  const headers = new Headers(answer.headers)
  // What is kept is no longer packed.
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name)
  headers.set(atHeader, new Date(at).toISOString())
  await cache.put(withoutHash(url), new Response(await answer.text(), { headers })).catch(() => undefined)
}

/** What is kept, saying since when; null once it is too old or its link has expired. */
async function keptPage(url: string, cache: PageCache, now: number): Promise<Response | null> {
  const kept = await cache.match(withoutHash(url))
  const at = kept?.headers.get(atHeader)
  if (!kept || !at) return null
  const until = kept.headers.get(untilHeader)
  if (now - Date.parse(at) >= keptFor || (until !== null && now >= Date.parse(until))) {
    // Its source and what others said, too.
    for (const one of await cache.keys()) await cache.delete(one)
    return null
  }
  const html = await kept.text()
  return new Response(html.replace('<body', `<body data-kept-at="${at}"`), { headers: kept.headers })
}

const withoutHash = (url: string) => url.split('#')[0]!
