import type { LastRead } from '../reading/last-read.svelte.ts'
import type { SharePage } from './share-page.ts'

interface WhatIsRead {
  page: Pick<SharePage, 'keptAt'>
  lastRead: LastRead
  text: { readonly revision: number; readonly latest: number }
  editing: { readonly open: boolean }
}

/** Notes what is read, where nothing has changed of which there would be something to show first. */
export function followLastRead({ editing, lastRead, page, text }: WhatIsRead): void {
  // A kept copy may be older than what was read.
  if (page.keptAt === undefined && !lastRead.isBehind(text.revision)) lastRead.note(text.revision)
  $effect.root(() => {
    let hadRead = false
    $effect(() => {
      const { latest } = text
      if (!editing.open) hadRead = lastRead.revision === text.revision
      // Who writes in a text sees what becomes of it.
      else if (hadRead && lastRead.isBehind(latest)) lastRead.note(latest)
    })
  })
}
