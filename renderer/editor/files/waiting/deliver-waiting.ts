import type { Range } from '../../../../server/contract/records/anchors.ts'
import type { StoredFile } from '../../../../server/contract/records/files.ts'
import { anchorAt } from '../../../../server/domain/anchors/anchor.ts'
import { isPassing } from '../passing.ts'
import { isPlaced, placeFor, type WaitingFile } from './waiting-file.ts'
import type { WaitingFiles } from './waiting-files.ts'

interface Delivering {
  waiting: WaitingFiles
  /** As it stands by now. */
  text: () => string
  add: (file: WaitingFile, bytes: Blob) => Promise<StoredFile>
  /** Writes what shows a file into the text; resolves once that is safe. */
  write: (place: Range, stored: StoredFile) => Promise<void>
}

export interface Delivered {
  /** How many stand in the text now. */
  added: number
  /** Whether some were refused, which are kept with the reason. */
  areRefused: boolean
}

/** Brings the files that wait for a text into it, in their order. What is refused stays, with the reason. */
export async function deliverWaiting({ waiting, text, add, write }: Delivering): Promise<Delivered> {
  let added = 0
  const files = await waiting.takeUp('editing')
  const due = files.filter(({ refusal }) => refusal === null)
  let areRefused = due.length < files.length
  for (const [i, file] of due.entries()) {
    const bytes = isPlaced(file, text()) ? null : await waiting.bytesOf(file)
    if (bytes) {
      try {
        const stored = await add(file, bytes)
        if (!(await waiting.claim(file.id, stored.path, text()))) {
          waiting.leave(file.id)
          continue
        }
        const before = text()
        const { length } = before
        const place = placeFor(before, file.anchor) ?? { start: length, end: length }
        const next = due.slice(i + 1).filter(({ anchor }) => placeFor(before, anchor)?.start === place.start)
        const writing = write(place, stored)
        // Those that stand at the same place go behind it.
        const behind = place.end + text().length - length
        for (const one of next) {
          one.anchor = anchorAt(text(), behind, behind)
          await waiting.change(one.id, { anchor: one.anchor })
        }
        await writing
        added++
      } catch (error) {
        if (isPassing(error)) throw error
        areRefused = true
        await waiting.change(file.id, { refusal: error instanceof Error ? error.message : String(error) })
        continue
      }
    }
    await waiting.discard(file.id)
  }
  return { added, areRefused }
}
