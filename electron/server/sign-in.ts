import { session } from 'electron'
import { partition } from '../windows/partition.ts'
import type { ServerAddresses, SessionCookie } from './server-messages.ts'

/** Signs the partition's pages in. Neither pages nor addresses ever hold the secret. */
export async function signIn(facts: ServerAddresses, cookie: SessionCookie): Promise<void> {
  await session.fromPartition(partition).cookies.set({
    url: facts.url,
    name: cookie.name,
    value: cookie.value,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
  })
}
