import type { WebContents } from 'electron'
import { receive, type ListeningChannel } from './ipc.ts'

interface Listening {
  has(contents: WebContents): boolean
  all(): Iterable<WebContents>
}

interface Reactions {
  onListening?: (contents: WebContents) => void
  /** The page has gone, or makes place for another. */
  onGone?: (contents: WebContents) => void
}

/** The pages that have said on this channel that they listen, for as long as they are there. */
export function pagesListening(
  channel: ListeningChannel,
  isOwn: (url: string) => boolean,
  { onListening, onGone }: Reactions,
): Listening {
  const listening = new Set<WebContents>()
  const watched = new WeakSet<WebContents>()

  const forget = (contents: WebContents) => {
    if (listening.delete(contents)) onGone?.(contents)
  }
  receive(channel, isOwn, ({ sender }) => {
    if (!watched.has(sender)) {
      watched.add(sender)
      sender.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
        if (isMainFrame && !isSameDocument) forget(sender)
      })
      sender.on('render-process-gone', () => forget(sender))
      sender.on('destroyed', () => forget(sender))
    }
    listening.add(sender)
    onListening?.(sender)
  })

  return { has: (contents) => listening.has(contents), all: () => listening }
}
