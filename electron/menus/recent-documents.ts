import { app } from 'electron'
import { Type } from 'typebox'
import { RecentDocument } from '../../server/contract/desktop.ts'
import { forgetRecentChannel, noteRecentChannel } from '../bridge/channels.ts'
import { receive } from '../bridge/ipc.ts'
import type { MenuEntry } from './menu-entry.ts'
import { plainLine } from './plain-line.ts'
import { openRecordFile } from '../preferences/record-file.ts'

const schemas = {
  /** The one that was opened last in front. */
  documents: Type.Array(RecentDocument, { maxItems: 10 }),
}

export interface RecentDocumentsOptions {
  isOwn: (url: string) => boolean
  file: string
  open: (path: string) => void
  onChange: () => void
}

/** The documents that were open last, for the menu. */
export function keepRecentDocuments({ isOwn, file, open, onChange }: RecentDocumentsOptions) {
  const record = openRecordFile(file, schemas)
  const list = () => record.find('documents') ?? []
  function change(documents: RecentDocument[]) {
    const before = JSON.stringify(list())
    record.set('documents', documents.slice(0, 10))
    if (JSON.stringify(list()) !== before) onChange()
  }

  receive(noteRecentChannel, isOwn, (_event, document) =>
    change([document, ...list().filter(({ id }) => id !== document.id)]),
  )
  receive(forgetRecentChannel, isOwn, (_event, gone) => change(list().filter(({ id }) => id !== gone)))

  return {
    entries: (): MenuEntry[] => [
      ...list().map(({ id, title }) => ({ label: labelOf(title), run: () => open(`/documents/${id}`) })),
      ...(list().length > 0 ? (['separator'] as const) : []),
      {
        label: 'Clear Menu',
        enabled: () => list().length > 0,
        run() {
          change([])
          // The files that the system remembers tell as much.
          app.clearRecentDocuments()
        },
      },
    ],
  }
}

/** A title as menus show it: in one line, and `&` stands for itself. */
export const labelOf = (title: string): string => plainLine(title).replaceAll('&', '&&') || 'No title'
