import type { Store } from './store/store.ts'

/** Links that sign a browser in as the machine's own user, each once. */
export function createOwnUserSignIn(store: Store, ownerUrl: string) {
  const write = () => `${ownerUrl}/sign-in#${store.signInLinks.createTicket(store.users.owner().id)}`
  return {
    /** One for now. It waits for another process that writes; throws where it can't be written. */
    now(): string {
      store.setBusyTimeout(5_000)
      try {
        return write()
      } finally {
        store.setBusyTimeout(0)
      }
    },
    /** Tells one as soon as it can be written. Nobody has a use for it when Galley stops. */
    later(tell: (url: string) => void) {
      let isTold = false
      const writeOne = () => {
        if (isTold) return false
        const url = write()
        store.afterCommit(() => {
          isTold = true
          tell(url)
        })
        return false
      }
      store.deferred.add('sign-in link', writeOne, { resumes: true }).soon()
    },
  }
}
