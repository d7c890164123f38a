import ClipboardCopy from '@lucide/svelte/icons/clipboard-copy'
import FileOutput from '@lucide/svelte/icons/file-output'
import Printer from '@lucide/svelte/icons/printer'
import { shortcuts } from '../../../server/contract/shortcuts.ts'
import type { Command } from '../commands.svelte.ts'
import { exportFormats, type OfferedFormat } from '../export/export-formats.ts'

export interface FileActions {
  chooseFormat: () => void
  exportAs: (format: OfferedFormat) => void
  print: () => void
  copy: () => void
}

/** What takes an open document out of Galley. */
export function fileCommands({ chooseFormat, exportAs, print, copy }: FileActions): Command[] {
  return [
    {
      id: 'export',
      group: 'Document',
      label: 'Export…',
      keys: shortcuts.export,
      icon: FileOutput,
      words: ['download', 'save as'],
      run: chooseFormat,
    },
    ...(Object.keys(exportFormats) as OfferedFormat[]).map((format): Command => ({
      id: `export-${format}`,
      group: 'Document',
      label: `Export as ${exportFormats[format].name}`,
      icon: FileOutput,
      words: exportFormats[format].words,
      run: () => exportAs(format),
    })),
    {
      id: 'print',
      group: 'Document',
      label: 'Print…',
      keys: shortcuts.print,
      icon: Printer,
      words: ['paper', 'pdf'],
      run: print,
    },
    {
      id: 'copy-formatted',
      group: 'Document',
      label: 'Copy as rich text',
      keys: shortcuts['copy-formatted'],
      icon: ClipboardCopy,
      words: ['formatted', 'html', 'clipboard'],
      run: copy,
    },
  ]
}
