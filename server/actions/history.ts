import { limits } from '../contract/limits.ts'
import type { History } from '../contract/records/versions.ts'
import { unlessDamaged } from '../store/log.ts'
import { documentAction } from './action.ts'
import { historyEntryView } from './view.ts'

/** How a text came to be, in parts: what is long is read in many, none of which holds others up. */
export const listHistory = documentAction({
  right: 'version.read',
  effect: 'reads',
  run(
    { store, document },
    { after = 0, limit = limits.historyPage }: { after?: number; limit?: number },
  ): History {
    const most = { entries: Math.min(limit, limits.historyPage), characters: limits.historyCharacters }
    const { revision } = document
    // What is damaged is a gap, as if it were not there.
    const entries = store.history
      .list(document.number, after, most)
      .flatMap((row) => unlessDamaged(() => historyEntryView(row)) ?? [])
    return { revision, more: entries.length > 0 && entries.at(-1)!.revision < revision, entries }
  },
})
