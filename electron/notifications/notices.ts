import type { DesktopNotice } from '../../server/contract/desktop.ts'
import { noticeActedChannel, noticeChannel, noticesWantedChannel } from '../bridge/channels.ts'
import { receive } from '../bridge/ipc.ts'
import { pagesListening } from '../bridge/pages-listening.ts'

/** What has been done is told for this long to pages that open meanwhile. */
const told = 20_000

export interface WindowNotices {
  /** Says something in every window, in the place of what was said under the same id. `act` is for its action. */
  say(notice: DesktopNotice, act?: () => void): void
  withdraw(id: string): void
}

/** What the desktop has to say to whoever writes, in its windows and without interrupting them. */
export function createWindowNotices(isOwn: (url: string) => boolean): WindowNotices {
  const said = new Map<string, { notice: DesktopNotice; act: () => void; end: NodeJS.Timeout | undefined }>()
  const pages = pagesListening(noticesWantedChannel, isOwn, {
    onListening(contents) {
      for (const { notice } of said.values()) contents.send(noticeChannel, notice)
    },
  })
  const tell = (message: DesktopNotice | { id: string; over: true }) => {
    for (const contents of pages.all()) contents.send(noticeChannel, message)
  }

  function say(notice: DesktopNotice, act = () => {}) {
    clearTimeout(said.get(notice.id)?.end)
    const end = notice.kind === 'done' ? setTimeout(() => said.delete(notice.id), told).unref() : undefined
    said.set(notice.id, { notice, act, end })
    tell(notice)
  }
  function withdraw(id: string) {
    clearTimeout(said.get(id)?.end)
    if (said.delete(id)) tell({ id, over: true })
  }

  receive(noticeActedChannel, isOwn, (_event, id, chosen) => {
    const act = said.get(id)?.act
    // Gone in one window, it goes in all.
    withdraw(id)
    if (chosen) act?.()
  })

  return { say, withdraw }
}
