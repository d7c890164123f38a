import type { Context } from './context.ts'

/** Has every link of a user's open nothing, or be again what it was. The one way there, whoever asks for it. */
export function setSharing(
  { store, publish, publishSharing }: Pick<Context, 'store' | 'publish' | 'publishSharing'>,
  userId: string,
  { stopped }: { stopped: boolean },
): void {
  if (stopped) store.sharing.stop(userId)
  else store.sharing.start(userId)
  for (const documentId of store.sharing.listShared(userId)) publish({ documentId, what: 'links' })
  publishSharing(userId)
}
