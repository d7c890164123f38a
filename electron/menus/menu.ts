// The application menu. What it does is `command`s of the page's (renderer/owner), or `actions` of the main process's.
import type { TerminalCommand } from '../../server/contract/desktop.ts'
import type { MenuEntry } from './menu-entry.ts'

/** What the menu has the main process do. */
export interface MenuActions {
  newWindow: () => void
  zoom: (direction: 'in' | 'out' | 'reset') => () => void
  backUp: () => void
  restore: () => void
  revealData: () => void
  revealLogs: () => void
}

export interface MenuOptions {
  /** macOS has a menu of the application's own, and other places for some entries. */
  mac: boolean
  /** What is started from its source also has what its developers need. */
  isPackaged: boolean
  name: string
  actions: MenuActions
  spelling: MenuEntry[]
  /** Looking for newer versions, where there are any to be had. */
  updates: MenuEntry[]
  /** The command `galley`, where the app itself sees to it. */
  terminal: MenuEntry[]
  recent: MenuEntry[]
}

/** The application menu: the platform's own entries, and Galley's where people look for such. */
export function applicationMenu(options: MenuOptions): MenuEntry[] {
  return [
    ...(options.mac ? [ownMenu(options)] : []),
    fileMenu(options),
    editMenu(options),
    formatMenu,
    viewMenu(options),
    { role: 'windowMenu' },
    helpMenu(options),
  ]
}

const settings: MenuEntry = { label: 'Settings…', command: 'settings', keys: 'Mod-,', always: true }
const about = ({ name }: MenuOptions): MenuEntry => ({
  label: `About ${name}`,
  command: 'about',
  always: true,
})

/** On macOS, named after the application. */
const ownMenu = (options: MenuOptions): MenuEntry => ({
  label: options.name,
  submenu: [
    about(options),
    'separator',
    settings,
    ...options.terminal,
    'separator',
    { role: 'services' },
    'separator',
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    'separator',
    { role: 'quit' },
  ],
})

const fileMenu = ({ mac, actions, recent }: MenuOptions): MenuEntry => ({
  label: '&File',
  submenu: [
    { label: 'New Document', command: 'new', keys: 'Mod-n', always: true },
    { label: 'New Window', run: actions.newWindow, keys: 'Mod-Shift-n' },
    { label: 'Open in New Window', command: 'open-window' },
    'separator',
    { label: 'Open…', command: 'open', always: true },
    { label: 'Open Recent', submenu: recent },
    { label: 'Import Folder…', command: 'import-folder', always: true },
    'separator',
    { label: 'Save Now', command: 'save' },
    { label: 'Rename', command: 'rename' },
    { label: 'Duplicate', command: 'duplicate' },
    'separator',
    { label: 'Share…', command: 'share' },
    {
      label: 'Export',
      submenu: [
        { label: 'Markdown…', command: 'export-md' },
        { label: 'Web Page…', command: 'export-html' },
        { label: 'PDF…', command: 'export-pdf' },
      ],
    },
    { label: 'Print…', command: 'print' },
    'separator',
    { label: 'Back Up Now…', run: actions.backUp },
    { label: 'Restore from Backup…', run: actions.restore },
    'separator',
    { role: 'close', label: 'Close Window' },
    ...(mac ? [] : (['separator', settings, 'separator', { role: 'quit' }] satisfies MenuEntry[])),
  ],
})

const editMenu = ({ mac, spelling }: MenuOptions): MenuEntry => ({
  label: '&Edit',
  submenu: [
    { role: 'undo' },
    { role: 'redo' },
    'separator',
    { role: 'cut' },
    { role: 'copy' },
    { label: 'Copy as Rich Text', command: 'copy-formatted' },
    { role: 'paste' },
    { role: 'pasteAndMatchStyle' },
    { role: 'delete' },
    { role: 'selectAll' },
    'separator',
    { label: 'Find and Replace…', command: 'find' },
    { label: 'Spelling', submenu: spelling },
    ...(mac ? macEdit : []),
  ],
})

const formatMenu: MenuEntry = {
  label: 'F&ormat',
  submenu: [
    { label: 'Bold', command: 'format-bold' },
    { label: 'Italic', command: 'format-italic' },
    { label: 'Strikethrough', command: 'format-strike' },
    { label: 'Code', command: 'format-code' },
    { label: 'Link', command: 'format-link' },
    'separator',
    { label: 'Heading 1', command: 'format-heading1' },
    { label: 'Heading 2', command: 'format-heading2' },
    { label: 'Heading 3', command: 'format-heading3' },
    'separator',
    { label: 'Bulleted List', command: 'format-bullets' },
    { label: 'Numbered List', command: 'format-ordered' },
    { label: 'Task List', command: 'format-tasks' },
    { label: 'Tick or Untick a Task', command: 'format-done' },
    { label: 'Quote', command: 'format-quote' },
  ],
}

const viewMenu = ({ actions, isPackaged }: MenuOptions): MenuEntry => ({
  label: '&View',
  submenu: [
    { label: 'Find a Document or a Command…', command: 'palette' },
    { label: 'Documents', command: 'library' },
    'separator',
    { label: 'Outline', command: 'outline', kind: 'checkbox' },
    { label: 'Focus Mode', command: 'focus', kind: 'checkbox' },
    { label: 'Only This Paragraph in Full Colour', command: 'focus-paragraph', kind: 'checkbox' },
    { label: 'Keep This Line in the Middle', command: 'focus-typewriter', kind: 'checkbox' },
    { label: 'Reading View', command: 'reading', kind: 'checkbox' },
    { label: 'Side Panel', command: 'panel', kind: 'checkbox' },
    { label: 'Comments', command: 'comments' },
    { label: 'Suggestions', command: 'suggestions' },
    { label: 'Versions', command: 'versions' },
    { label: 'Play the History', command: 'history' },
    { label: 'Comment on the Selection', command: 'comment' },
    'separator',
    {
      label: 'Theme',
      submenu: [
        { label: 'Same as the System', command: 'system', kind: 'radio' },
        { label: 'Light', command: 'light', kind: 'radio' },
        { label: 'Dark', command: 'dark', kind: 'radio' },
      ],
    },
    'separator',
    { label: 'Zoom In', run: actions.zoom('in'), keys: 'Mod-Plus' },
    { label: 'Zoom Out', run: actions.zoom('out'), keys: 'Mod--' },
    { label: 'Actual Size', run: actions.zoom('reset'), keys: 'Mod-0' },
    // The same keys without Shift, and those apart from the letters.
    { label: 'Zoom In', run: actions.zoom('in'), keys: 'Mod-=', hidden: true },
    { label: 'Zoom In', run: actions.zoom('in'), keys: 'Mod-numadd', hidden: true },
    { label: 'Zoom Out', run: actions.zoom('out'), keys: 'Mod-numsub', hidden: true },
    { label: 'Actual Size', run: actions.zoom('reset'), keys: 'Mod-num0', hidden: true },
    'separator',
    { role: 'togglefullscreen' },
    ...(isPackaged ? [] : forDevelopers),
  ],
})

const helpMenu = (options: MenuOptions): MenuEntry => {
  const { mac, actions, updates, terminal } = options
  return {
    label: '&Help',
    role: 'help',
    submenu: [
      { label: 'Keyboard Shortcuts', command: 'help' },
      { label: 'API Reference', command: 'reference' },
      'separator',
      ...(updates.length > 0 ? [...updates, 'separator' as const] : []),
      ...(mac ? [] : terminal),
      { label: 'Reveal Data Folder', run: actions.revealData },
      { label: 'Show Logs and Crash Reports', run: actions.revealLogs },
      ...(mac ? [] : (['separator', about(options)] satisfies MenuEntry[])),
    ],
  }
}

/** What can be done about the command `galley`; a page says what came of it. */
export function terminalEntries(command: TerminalCommand | null): MenuEntry[] {
  if (!command) return []
  return command.state === 'there'
    ? [{ label: 'Remove the galley Command', command: 'remove-command', always: true }]
    : [{ label: 'Install the galley Command', command: 'install-command', always: true }]
}

const macEdit: MenuEntry[] = [
  'separator',
  {
    label: 'Substitutions',
    submenu: [
      { role: 'showSubstitutions' },
      'separator',
      { role: 'toggleSmartQuotes' },
      { role: 'toggleSmartDashes' },
      { role: 'toggleTextReplacement' },
    ],
  },
  { label: 'Speech', submenu: [{ role: 'startSpeaking' }, { role: 'stopSpeaking' }] },
]

const forDevelopers: MenuEntry[] = ['separator', { role: 'reload' }, { role: 'toggleDevTools' }]
