import type { WebContents } from 'electron'
import { commandsChannel, runChannel } from '../bridge/channels.ts'
import { receive } from '../bridge/ipc.ts'

export interface PageCommands {
  /** The command in the page's own list, if the page has it now. */
  find(contents: WebContents | undefined, id: string): { checked?: boolean } | undefined
  /** Has the page run a command: now, or as soon as it has it. */
  run(contents: WebContents, id: string): void
}

/** What each page said it can do now. */
export function createPageCommands(isOwn: (url: string) => boolean, onChange: () => void): PageCommands {
  const known = new WeakMap<WebContents, Map<string, { checked?: boolean }>>()
  const wanted = new WeakMap<WebContents, Set<string>>()
  const watched = new WeakSet<WebContents>()

  const forget = (contents: WebContents) => {
    if (known.delete(contents)) onChange()
  }
  const watch = (contents: WebContents) => {
    if (watched.has(contents)) return
    watched.add(contents)
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) forget(contents)
    })
    contents.on('render-process-gone', () => forget(contents))
    contents.on('destroyed', () => forget(contents))
  }

  receive(commandsChannel, isOwn, ({ sender }, commands) => {
    watch(sender)
    const now = new Map(commands.map(({ id, ...state }) => [id, state]))
    known.set(sender, now)
    for (const id of wanted.get(sender) ?? []) {
      if (!now.has(id)) continue
      wanted.get(sender)!.delete(id)
      sender.send(runChannel, id)
    }
    onChange()
  })

  return {
    find: (contents, id) => contents && known.get(contents)?.get(id),
    run(contents, id) {
      if (known.get(contents)?.has(id)) contents.send(runChannel, id)
      else wanted.set(contents, (wanted.get(contents) ?? new Set()).add(id))
    },
  }
}
