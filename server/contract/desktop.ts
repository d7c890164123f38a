import { Type, type Static } from 'typebox'
import type { Settings } from './records/account.ts'
import { Id } from './records/fields.ts'

/** One of the page's commands, as the desktop's menus need to know it. */
export interface CommandState {
  id: string
  /** For a command that switches something on and off: whether it is on. */
  checked?: boolean
}

/**
 * Drafts that aren't stored or sent yet, kept by the desktop itself: a browser's storage belongs to one address, and the
 * app may come up on another one.
 */
export interface DesktopDrafts {
  keep(key: string, text: string): Promise<void>
  forget(key: string): Promise<void>
  /** All whose key begins so. */
  list(prefix: string): Promise<[key: string, text: string][]>
}

/** A file that the system or the person handed to the app. */
export interface OpenedFile {
  /** What it is asked for by; only the page that got it can. */
  id: number
  name: string
}

/** Which document a file was made into, and the SHA-256 of its text then, in hexadecimal digits. */
export const FileOrigin = Type.Object(
  { document: Id, digest: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
  { additionalProperties: false },
)
export type FileOrigin = Static<typeof FileOrigin>

export type FileProblem = 'gone' | 'folder' | 'too-large' | 'forbidden' | 'unreadable'

export type FileReading =
  { bytes: Uint8Array<ArrayBuffer>; origin: FileOrigin | null } | { problem: FileProblem }

/** Files from outside, on their way to becoming documents. */
export interface DesktopFiles {
  /** Calls the listener when there are opened files to be taken. */
  onOpened(listener: () => void): () => void
  /** The files that were opened and that no page has taken yet; they are this page's then. */
  take(): Promise<OpenedFile[]>
  read(id: number): Promise<FileReading>
  /** Says what became of a file, which is remembered for when it is opened again; null where nothing did. */
  finish(id: number, origin: FileOrigin | null): void
  /** Lets the person choose files, which are opened then. */
  choose(): void
}

/** Without its ending. */
const FileName = Type.String({ pattern: '^[^/\\\\\\u0000-\\u001f]{1,200}$' })

/** The key by which the page that is printed gets the diagrams that were drawn for it. */
export const DrawnDiagrams = Type.String({ pattern: '^[0-9a-f]{32}$' })

/** What is to be saved as a file: a text, or a document, by its id, that is set on pages. */
export const ExportedFile = Type.Union([
  Type.Object(
    { format: Type.Enum(['md', 'html']), name: FileName, source: Type.String() },
    { additionalProperties: false },
  ),
  // Its bytes, as base64.
  Type.Object(
    { format: Type.Literal('docx'), name: FileName, source: Type.String() },
    { additionalProperties: false },
  ),
  Type.Object(
    { format: Type.Literal('pdf'), name: FileName, source: Id, diagrams: Type.Optional(DrawnDiagrams) },
    { additionalProperties: false },
  ),
])
export type ExportedFile = Static<typeof ExportedFile>

/** What a clipboard holds for programs that take formatting, and for those that don't. */
export const RichText = Type.Object(
  { html: Type.String(), text: Type.String() },
  { additionalProperties: false },
)
export type RichText = Static<typeof RichText>

export type ExportOutcome =
  | { outcome: 'saved'; id: number; name: string }
  | { outcome: 'cancelled' }
  | { outcome: 'failed'; message: string }

/** Documents on their way out. */
export interface DesktopExports {
  /** Lets the person choose where, and saves it there. */
  save(what: ExportedFile): Promise<ExportOutcome>
  showInFolder(id: number): void
  /** Opens the system's window for printing; answers why that failed, if it did. */
  print(document: string, diagrams: string | null): Promise<string | null>
  copy(rich: RichText): Promise<void>
}

/** Something the desktop says in its windows. */
export interface DesktopNotice {
  /** What is said later under the same id takes its place. */
  id: string
  /** What is done goes by itself; the others stay until they are over or put away. */
  kind: 'progress' | 'done' | 'offer'
  text: string
  detail?: string
  /** What can be done about it. */
  action?: string
}

/** A document as the menu of recent ones knows it. */
export const RecentDocument = Type.Object(
  // A title's 500 characters may be twice as many units.
  { id: Id, title: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false },
)
export type RecentDocument = Static<typeof RecentDocument>

/** The desktop's menu of the documents that were open last. */
interface DesktopRecent {
  /** A document was opened, or has another title now: it comes first. */
  note(document: RecentDocument): void
  /** A document is gone. */
  forget(id: string): void
}

/** What the desktop can show of itself. */
interface DesktopFacts {
  /** Opens what Chromium says about the licences of what it is made of; answers why not, if it can't. */
  showCredits(): Promise<string | null>
}

/** What was chosen of the desktop's own, and how it stands. */
export interface DesktopState {
  system: 'linux' | 'mac' | 'windows'
  /** Whether Galley goes on when its last window is closed. */
  keepSharing: boolean
  /** Whether the machine is kept awake while a share link works. */
  keepAwake: boolean
  /** Whether the system shows Galley's icon then; some desktops don't. */
  tray: 'yes' | 'no' | 'unknown'
  /** `refused`: somebody has switched it off in the system's settings. `impossible`: not for this installation. */
  openAtLogin: 'on' | 'off' | 'refused' | 'impossible'
  /** How what others have to say is told; null where the system shows no notifications. */
  notifications: 'on' | 'silent' | 'off' | null
  /** Whether newer versions are looked for. `none`: there are none to be had for this installation. */
  updates: 'on' | 'off' | 'none'
  /** Null where the package has put it there, or the app was started from its source. */
  command: TerminalCommand | null
}

/** The command `galley`, as the app itself puts it where terminals find it. */
export interface TerminalCommand {
  /** Where it is put, as people write it. */
  file: string
  /** `elsewhere`: it leads to another Galley. `taken`: something that isn't Galley's stands there. */
  state: 'there' | 'absent' | 'elsewhere' | 'taken'
  /** Whether terminals look there. */
  isSearched: boolean
  /** The app runs from a disk image, or from where macOS has put it for this once, so nothing may lead there. */
  isPassing: boolean
}

export const DesktopChange = Type.Object(
  {
    keepSharing: Type.Optional(Type.Boolean()),
    keepAwake: Type.Optional(Type.Boolean()),
    openAtLogin: Type.Optional(Type.Boolean()),
    notifications: Type.Optional(Type.Enum(['on', 'silent', 'off'])),
    updates: Type.Optional(Type.Boolean()),
    command: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type DesktopChange = Static<typeof DesktopChange>

/** What can be chosen of the desktop's own. */
export interface DesktopSettings {
  find(): Promise<DesktopState>
  /** Answers how it stands then, and why a change could not be made. */
  change(change: DesktopChange): Promise<{ state: DesktopState; problem: string | null }>
}

/** What the desktop's window gives its pages, as `window.galley`. In a browser there is none. */
export interface DesktopBridge {
  /** Calls the listener with each path of the app that is to be shown, until the returned function is called. */
  onOpen(listener: (path: string) => void): () => void
  /** Has `flush` save what isn't saved yet before the window closes; it waits for that, but not for ever. */
  onFlushBeforeClose(flush: () => Promise<unknown>): void
  /** Calls the listener with the id of each of the page's commands that is chosen in a menu of the window's. */
  onCommand(listener: (id: string) => void): () => void
  /** Tells the window what the page can do now; its menus offer nothing else of the page's. */
  setCommands(commands: CommandState[]): void
  drafts: DesktopDrafts
  files: DesktopFiles
  exports: DesktopExports
  /** Has the person choose the cloudflared that tunnels take, or takes none of their own; whether that was done. */
  chooseProgram(own: boolean): Promise<boolean>
  recent: DesktopRecent
  facts: DesktopFacts
  settings: DesktopSettings
  /** Calls the listener with each notice, and with the id of each that is over. */
  onNotice(listener: (notice: DesktopNotice | { id: string; over: true }) => void): void
  /** Puts a notice away; `chosen` if because its action was chosen. */
  actOnNotice(id: string, chosen: boolean): void
  /** Tells the window which theme the page has, so that its frame, menus and dialogs follow. */
  setTheme(theme: Settings['theme']): void
}
