import { ipcMain } from 'electron'
import type { IpcMainEvent } from 'electron'
import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { Theme } from '../server/contract/records.ts'
import { choiceChannel, listeningChannel, themeChannel } from './channels.ts'

/** What each message from a page must carry. */
const schemas = {
  [listeningChannel]: Type.Tuple([]),
  [themeChannel]: Type.Tuple([Theme]),
  [choiceChannel]: Type.Tuple([Type.Enum(['try-again', 'reveal', 'quit'])]),
} satisfies Record<string, TSchema>

type Schemas = typeof schemas
export type Choice = Static<Schemas[typeof choiceChannel]>[0]

/** Whether a message was sent by the main frame of the page it should come from; frames in it have no say. */
export function isFromMainFrame(
  { sender, senderFrame }: Pick<IpcMainEvent, 'sender' | 'senderFrame'>,
  isOwn: (url: string) => boolean,
): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwn(senderFrame.url)
}

/** Listens to one kind of message. One from anyone else, or with anything else in it, is dropped. */
export function receive<Channel extends keyof Schemas>(
  channel: Channel,
  isOwn: (url: string) => boolean,
  obey: (event: IpcMainEvent, ...args: Static<Schemas[Channel]>) => void,
) {
  ipcMain.on(channel, (event, ...args: unknown[]) => {
    if (!isFromMainFrame(event, isOwn) || !Check(schemas[channel], args)) {
      console.warn(`A message on ${channel} was dropped: it came from elsewhere or held something else.`)
      return
    }
    obey(event, ...(args as Static<Schemas[Channel]>))
  })
}
