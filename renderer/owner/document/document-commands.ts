import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import AppWindow from '@lucide/svelte/icons/app-window'
import BookOpen from '@lucide/svelte/icons/book-open'
import CirclePlay from '@lucide/svelte/icons/circle-play'
import ClipboardCheck from '@lucide/svelte/icons/clipboard-check'
import ClipboardCopy from '@lucide/svelte/icons/clipboard-copy'
import Copy from '@lucide/svelte/icons/copy'
import FileOutput from '@lucide/svelte/icons/file-output'
import FocusIcon from '@lucide/svelte/icons/focus'
import History from '@lucide/svelte/icons/history'
import ListTree from '@lucide/svelte/icons/list-tree'
import MessageSquare from '@lucide/svelte/icons/message-square'
import MessageSquarePlus from '@lucide/svelte/icons/message-square-plus'
import PencilLine from '@lucide/svelte/icons/pencil-line'
import Printer from '@lucide/svelte/icons/printer'
import Save from '@lucide/svelte/icons/save'
import Share from '@lucide/svelte/icons/share-2'
import SpellCheck from '@lucide/svelte/icons/spell-check'
import TextSearch from '@lucide/svelte/icons/text-search'
import SquarePen from '@lucide/svelte/icons/square-pen'
import Trash from '@lucide/svelte/icons/trash-2'
import { shortcuts } from '../../../server/contract/shortcuts.ts'
import { formatNames, type FormatName } from '../../editor/format-names.ts'
import type { MenuItem } from '../../ui/menu-item.ts'
import type { Command } from '../commands.svelte.ts'
import type { DocumentTasks } from './document-tasks.svelte.ts'
import { fileCommands } from './file-commands.ts'
import { focusCommands } from './focus-mode.svelte.ts'
import type { Panes } from './panes.svelte.ts'

/** How what stands both among the commands and in the menu is shown. */
const faces = {
  reading: { label: 'Viewing', keys: shortcuts.reading, icon: BookOpen },
  suggesting: { label: 'Suggesting', icon: SquarePen },
  outline: { label: 'Outline', keys: shortcuts.outline, icon: ListTree },
  find: { label: 'Find and replace', keys: shortcuts.find, icon: TextSearch },
  versions: { label: 'Versions', icon: History },
  history: { label: 'Play the history', icon: CirclePlay },
  openWindow: { label: 'Open in a new window', icon: AppWindow },
} satisfies Record<string, Pick<MenuItem, 'label' | 'keys' | 'icon'>>

/** What can be done with an open document by its name or a shortcut. */
export function documentCommands(tasks: DocumentTasks, panes: Panes): Command[] {
  return [
    ...panelCommands(tasks, panes),
    ...viewCommands(tasks, panes),
    ...wholeCommands(tasks),
    ...fileCommands({
      chooseFormat: () => (panes.exporting = true),
      exportAs: (format) => void tasks.export(format),
      print: () => void tasks.print(),
      copy: () => void tasks.copy(),
    }),
    ...(Object.keys(formatNames) as FormatName[]).map((name): Command => ({
      id: `format-${name}`,
      group: 'Write',
      ...formatNames[name],
      editorOnly: true,
      formats: true,
      run: () => !panes.reading && tasks.editor?.run(name),
    })),
  ]
}

/** What is beside the text. */
const panelCommands = (tasks: DocumentTasks, panes: Panes): Command[] => [
  {
    id: 'share',
    group: 'Document',
    label: 'Share this document',
    icon: Share,
    words: ['link', 'send'],
    run: () => panes.show('share'),
  },
  {
    id: 'review',
    group: 'Document',
    label: 'Ask for a review',
    icon: ClipboardCheck,
    words: ['round', 'feedback', 'done', 'draft'],
    run: () => panes.askForReview(),
  },
  {
    id: 'comment',
    group: 'Document',
    label: 'Comment on the selection',
    keys: shortcuts.comment,
    icon: MessageSquarePlus,
    words: ['remark', 'note'],
    run: () => tasks.comment(),
  },
  {
    id: 'next-said',
    group: 'Document',
    label: 'Next comment or suggestion',
    keys: shortcuts['next-said'],
    icon: ArrowDown,
    run: () => tasks.step(1),
  },
  {
    id: 'previous-said',
    group: 'Document',
    label: 'Previous comment or suggestion',
    keys: shortcuts['previous-said'],
    icon: ArrowUp,
    run: () => tasks.step(-1),
  },
  {
    id: 'comments',
    group: 'Document',
    label: 'Comments',
    icon: MessageSquare,
    run: () => panes.show('comments'),
  },
  {
    id: 'suggestions',
    group: 'Document',
    label: 'Suggestions',
    icon: SpellCheck,
    run: () => panes.show('suggestions'),
  },
  {
    id: 'versions',
    group: 'Document',
    ...faces.versions,
    words: ['restore'],
    run: () => panes.show('versions'),
  },
  {
    id: 'history',
    group: 'Document',
    ...faces.history,
    words: ['replay', 'authors', 'who wrote'],
    run: () => tasks.playHistory(),
  },
  {
    id: 'panel',
    group: 'Document',
    label: 'Open or close the side panel',
    keys: shortcuts.panel,
    icon: MessageSquare,
    checked: () => panes.panelOpen,
    run: () => tasks.togglePanel(),
  },
]

/** How the text is looked at. */
const viewCommands = (tasks: DocumentTasks, panes: Panes): Command[] => [
  {
    id: 'reading',
    group: 'Document',
    ...faces.reading,
    words: ['reading view', 'preview', 'rendered'],
    checked: () => panes.reading,
    run: () => void tasks.toggleReading(),
  },
  {
    id: 'suggesting',
    group: 'Document',
    ...faces.suggesting,
    words: ['suggest by typing', 'track changes', 'propose', 'review'],
    checked: () => panes.way === 'suggesting',
    run: () => void tasks.choose(panes.way === 'suggesting' ? 'editing' : 'suggesting'),
  },
  {
    id: 'outline',
    group: 'Document',
    ...faces.outline,
    words: ['headings', 'contents'],
    checked: () => panes.outline.at !== null,
    run: () => panes.toggleOutline(),
  },
  ...focusCommands(panes.focus, () => void tasks.toggleFocus()),
  {
    id: 'find',
    group: 'Write',
    ...faces.find,
    get label() {
      return panes.reading ? 'Find' : faces.find.label
    },
    // The editor listens for it itself, while there is one.
    get editorOnly() {
      return !panes.reading
    },
    run: () => tasks.find(),
  },
]

/** What is done to the document as a whole. */
const wholeCommands = (tasks: DocumentTasks): Command[] => [
  {
    id: 'save',
    group: 'Document',
    label: 'Save now',
    keys: shortcuts.save,
    icon: Save,
    run: () => void tasks.save(),
  },
  {
    id: 'rename',
    group: 'Document',
    label: 'Rename this document',
    icon: PencilLine,
    words: ['title'],
    run: () => void tasks.rename(),
  },
  {
    id: 'open-window',
    group: 'Document',
    ...faces.openWindow,
    words: ['tab', 'apart', 'second'],
    run: () => tasks.openInNewWindow(),
  },
  {
    id: 'duplicate',
    group: 'Document',
    label: 'Duplicate this document',
    icon: Copy,
    run: () => void tasks.duplicate(),
  },
  {
    id: 'delete',
    group: 'Document',
    label: 'Delete this document',
    icon: Trash,
    words: ['remove'],
    run: () => void tasks.delete(),
  },
]

/** The menu beside the title. */
export function documentMenu(tasks: DocumentTasks, panes: Panes): (MenuItem | null)[] {
  return [
    { ...faces.reading, checked: panes.reading, run: () => void tasks.toggleReading() },
    {
      ...faces.suggesting,
      checked: panes.way === 'suggesting',
      run: () => void tasks.choose(panes.way === 'suggesting' ? 'editing' : 'suggesting'),
    },
    {
      label: 'Focus mode',
      icon: FocusIcon,
      keys: shortcuts.focus,
      checked: panes.focus.on,
      run: () => void tasks.toggleFocus(),
    },
    { ...faces.outline, checked: panes.outline.at !== null, run: () => panes.toggleOutline() },
    // The menu has to be gone before the focus can go on.
    { ...faces.find, run: () => requestAnimationFrame(() => tasks.find()) },
    null,
    { ...faces.versions, run: () => panes.show('versions') },
    { ...faces.history, run: () => tasks.playHistory() },
    { ...faces.openWindow, run: () => tasks.openInNewWindow() },
    { label: 'Duplicate', icon: Copy, run: () => void tasks.duplicate() },
    {
      label: 'Copy as rich text',
      icon: ClipboardCopy,
      keys: shortcuts['copy-formatted'],
      run: () => void tasks.copy(),
    },
    { label: 'Export…', icon: FileOutput, keys: shortcuts.export, run: () => (panes.exporting = true) },
    { label: 'Print…', icon: Printer, keys: shortcuts.print, run: () => void tasks.print() },
    null,
    { label: 'Delete', icon: Trash, danger: true, run: () => void tasks.delete() },
  ]
}
