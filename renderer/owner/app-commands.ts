import FilePlus from '@lucide/svelte/icons/file-plus'
import FileInput from '@lucide/svelte/icons/file-input'
import FolderInput from '@lucide/svelte/icons/folder-input'
import KeyRound from '@lucide/svelte/icons/key-round'
import Keyboard from '@lucide/svelte/icons/keyboard'
import Info from '@lucide/svelte/icons/info'
import Library from '@lucide/svelte/icons/library'
import Monitor from '@lucide/svelte/icons/monitor'
import Moon from '@lucide/svelte/icons/moon'
import Search from '@lucide/svelte/icons/search'
import Settings from '@lucide/svelte/icons/settings'
import Sun from '@lucide/svelte/icons/sun'
import Trash from '@lucide/svelte/icons/trash-2'
import Ban from '@lucide/svelte/icons/ban'
import BookOpen from '@lucide/svelte/icons/book-open'
import LogOut from '@lucide/svelte/icons/log-out'
import { shortcuts } from '../../server/contract/shortcuts.ts'
import type { OwnerApp } from './app.ts'
import type { Command } from './commands.svelte.ts'
import { desktop } from './desktop.ts'
import { chooseFiles } from './library/choose-files.ts'
import { documentPath } from './router.svelte.ts'
import { sayFailure } from './say-failure.ts'
import { startSharing, stopSharing } from './sharing/sharing-actions.ts'

/** Makes an empty document and opens it. */
export async function createDocument({ account, library, newDocuments, router }: OwnerApp): Promise<void> {
  try {
    const document = await account.api.call('createDocument', { body: {} })
    newDocuments.note(document.id)
    library.put(document)
    router.go(documentPath(document.id))
  } catch (error) {
    sayFailure('The document wasn’t created', error)
  }
}

/**
 * Lets a person choose what to bring in: in the desktop's window files are opened, which knows again what was opened
 * before; folders, and files in a browser, are imported.
 */
export async function chooseToImport({ importer, router }: OwnerApp, { folder = false } = {}): Promise<void> {
  if (desktop && !folder) return desktop.files.choose()
  const { found, skipped } = await chooseFiles({ folder })
  if (found.length + skipped.length > 0) router.go('/')
  await importer.import(found, skipped)
}

/** Where one can go to from everywhere. */
function placeCommands(router: OwnerApp['router']): Command[] {
  return [
    {
      id: 'library',
      group: 'Go to',
      label: 'Documents',
      icon: Library,
      words: ['library', 'home', 'list'],
      run: () => router.go('/'),
    },
    {
      id: 'trash',
      group: 'Go to',
      label: 'Trash',
      icon: Trash,
      words: ['deleted', 'restore', 'bin'],
      run: () => router.go('/trash'),
    },
    { id: 'settings', group: 'Go to', label: 'Settings', icon: Settings, run: () => router.go('/settings') },
    { id: 'keys', group: 'Go to', label: 'API keys', icon: KeyRound, run: () => router.go('/keys') },
    {
      id: 'reference',
      group: 'Go to',
      label: 'API reference',
      icon: BookOpen,
      run: () => void open('/docs', '_blank', 'noopener'),
    },
  ]
}

const themes = [
  { theme: 'light' as const, label: 'Light theme', icon: Sun, words: ['bright', 'colour'] },
  { theme: 'dark' as const, label: 'Dark theme', icon: Moon, words: ['night', 'colour'] },
  { theme: 'system' as const, label: 'Theme of the system', icon: Monitor, words: ['automatic', 'colour'] },
]

const themeCommands = (account: OwnerApp['account']): Command[] =>
  themes.map(({ theme, ...face }) => ({
    id: theme,
    group: 'Appearance',
    ...face,
    checked: () => account.theme === theme,
    run: () =>
      void account.setTheme(theme).catch((error: unknown) => sayFailure('The theme wasn’t saved', error)),
  }))

/** What can be done on every page. */
export function appCommands(
  app: OwnerApp,
  { openPalette, openHelp }: { openPalette: () => void; openHelp: () => void },
): Command[] {
  const { account, router } = app
  return [
    {
      id: 'palette',
      group: 'Help',
      label: 'Find a document or a command',
      keys: shortcuts.palette,
      icon: Search,
      run: openPalette,
    },
    {
      id: 'new',
      group: 'Document',
      label: 'New document',
      // Beside a text, a letter that misses it was meant for it.
      get keys() {
        return router.place.page === 'document' ? undefined : 'n'
      },
      icon: FilePlus,
      words: ['create', 'add', 'write'],
      run: () => void createDocument(app),
    },
    {
      id: 'open',
      group: 'Document',
      label: desktop ? 'Open files…' : 'Import files…',
      keys: shortcuts.open,
      icon: FileInput,
      words: ['import', 'open', 'upload', 'markdown'],
      run: () => void chooseToImport(app),
    },
    {
      id: 'import-folder',
      group: 'Document',
      label: 'Import a folder…',
      icon: FolderInput,
      words: ['open', 'upload', 'markdown', 'files'],
      run: () => void chooseToImport(app, { folder: true }),
    },
    ...placeCommands(router),
    {
      id: 'stop-sharing',
      group: 'Document',
      get label() {
        return account.sharing?.stopped_at ? 'Start sharing again' : 'Stop sharing everything now'
      },
      icon: Ban,
      words: ['links', 'revoke', 'end', 'unshare', 'private'],
      run: () => void (account.sharing?.stopped_at ? startSharing(account) : stopSharing(account)),
    },
    ...themeCommands(account),
    { id: 'help', group: 'Help', label: 'Keyboard shortcuts', keys: '?', icon: Keyboard, run: openHelp },
    {
      id: 'about',
      group: 'Help',
      label: 'About Galley',
      icon: Info,
      words: ['version', 'licences', 'credits'],
      run: () => router.go('/about'),
    },
    {
      id: 'sign-out',
      group: 'Help',
      label: 'Sign out of this browser',
      icon: LogOut,
      words: ['leave', 'log out'],
      run: () =>
        void account.signOut().catch((error: unknown) => sayFailure('You are still signed in', error)),
    },
  ]
}
