import { ipcMain } from 'electron'
import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron'
import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import {
  DesktopChange,
  DrawnDiagrams,
  ExportedFile,
  FileOrigin,
  RecentDocument,
  RichText,
} from '../../server/contract/desktop.ts'
import { Theme } from '../../server/contract/records/account.ts'
import { Id } from '../../server/contract/records/fields.ts'
import {
  choiceChannel,
  changeSettingsChannel,
  chooseFilesChannel,
  chooseProgramChannel,
  copyChannel,
  creditsChannel,
  exportChannel,
  printChannel,
  showExportChannel,
  commandsChannel,
  filesWantedChannel,
  forgetDraftChannel,
  forgetRecentChannel,
  flushedChannel,
  keepDraftChannel,
  listDraftsChannel,
  listeningChannel,
  finishFileChannel,
  readFileChannel,
  settingsChannel,
  takeFilesChannel,
  noteRecentChannel,
  noticeActedChannel,
  noticesWantedChannel,
  themeChannel,
  willFlushChannel,
} from './channels.ts'

/** So long, and of so many, may the names of a page's commands be. */
const Command = Type.Object(
  { id: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }), checked: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)

/** Of a draft that is kept: what it is one of, as the app's page names it. */
const Key = Type.String({ pattern: '^[\\w:.-]{1,200}$' })

/** What each message from a page must carry. */
const schemas = {
  [listeningChannel]: Type.Tuple([]),
  [commandsChannel]: Type.Tuple([Type.Array(Command, { maxItems: 200 })]),
  [themeChannel]: Type.Tuple([Theme]),
  [willFlushChannel]: Type.Tuple([]),
  [noticesWantedChannel]: Type.Tuple([]),
  [noticeActedChannel]: Type.Tuple([Type.String({ pattern: '^[a-z-]{1,40}$' }), Type.Boolean()]),
  [flushedChannel]: Type.Tuple([Type.Integer()]),
  // A text that is longer than a document may be must not get lost either.
  [keepDraftChannel]: Type.Tuple([Key, Type.String({ maxLength: 256 * 1024 * 1024 })]),
  [forgetDraftChannel]: Type.Tuple([Key]),
  [listDraftsChannel]: Type.Tuple([Key]),
  [filesWantedChannel]: Type.Tuple([]),
  [takeFilesChannel]: Type.Tuple([]),
  [readFileChannel]: Type.Tuple([Type.Integer()]),
  [finishFileChannel]: Type.Tuple([Type.Integer(), Type.Union([FileOrigin, Type.Null()])]),
  [chooseFilesChannel]: Type.Tuple([]),
  [chooseProgramChannel]: Type.Tuple([Type.Boolean()]),
  [noteRecentChannel]: Type.Tuple([RecentDocument]),
  [settingsChannel]: Type.Tuple([]),
  [changeSettingsChannel]: Type.Tuple([DesktopChange]),
  [forgetRecentChannel]: Type.Tuple([Id]),
  [exportChannel]: Type.Tuple([ExportedFile]),
  [showExportChannel]: Type.Tuple([Type.Integer()]),
  [printChannel]: Type.Tuple([Id, Type.Union([DrawnDiagrams, Type.Null()])]),
  [copyChannel]: Type.Tuple([RichText]),
  [creditsChannel]: Type.Tuple([]),
  [choiceChannel]: Type.Tuple([Type.Enum(['try-again', 'restore', 'reveal', 'quit'])]),
} satisfies Record<string, TSchema>

type Channel = keyof typeof schemas
/** On which a page says only that it listens. */
export type ListeningChannel = typeof willFlushChannel | typeof noticesWantedChannel
type Messages = { [Name in Channel]: Static<(typeof schemas)[Name]> }

/** Whether a message was sent by the main frame of the page it should come from; frames in it have no say. */
function isFromMainFrame(
  { sender, senderFrame }: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  isOwn: (url: string) => boolean,
): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwn(senderFrame.url)
}

type Event = IpcMainEvent | IpcMainInvokeEvent

function accepts<Name extends Channel>(
  channel: Name,
  isOwn: (url: string) => boolean,
  event: Event,
  args: unknown[],
): args is Messages[Name] {
  const schema: TSchema = schemas[channel]
  if (isFromMainFrame(event, isOwn) && Check(schema, args)) return true
  console.warn(`A message on ${channel} was dropped: it came from elsewhere or held something else.`)
  return false
}

/** Listens to one kind of message. One from anyone else, or with anything else in it, is dropped. */
export function receive<Name extends Channel>(
  channel: Name,
  isOwn: (url: string) => boolean,
  obey: (event: IpcMainEvent, ...args: Messages[Name]) => void,
) {
  ipcMain.on(channel, (event, ...args: unknown[]) => {
    if (accepts(channel, isOwn, event, args)) obey(event, ...args)
  })
}

/** Answers one kind of question, as `receive` listens. */
export function answer<Name extends Channel>(
  channel: Name,
  isOwn: (url: string) => boolean,
  respond: (event: IpcMainInvokeEvent, ...args: Messages[Name]) => unknown,
) {
  ipcMain.handle(channel, (event, ...args: unknown[]) => {
    if (!accepts(channel, isOwn, event, args)) throw new Error('This can’t be answered.')
    return respond(event, ...args)
  })
}
