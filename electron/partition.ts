import { session } from 'electron'
import type { ServerFacts, SessionCookie } from './messages.ts'

/** Where the app's pages keep cookies and drafts, apart from whatever else might load a page. */
export const partition = 'persist:galley'

/** Signs the partition's pages in. Neither pages nor addresses ever hold the secret. */
export async function signIn(facts: ServerFacts, cookie: SessionCookie): Promise<void> {
  await session.fromPartition(partition).cookies.set({
    url: facts.url,
    name: cookie.name,
    value: cookie.value,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
  })
}
