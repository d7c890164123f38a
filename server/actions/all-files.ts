import type { FilesRoom, FreedFiles } from '../contract/records/files.ts'
import { machineAction } from './action.ts'
import type { ActionContext } from './context.ts'
import { ownUserOnly } from './own-user.ts'
import type { AccountTask } from './task.ts'

export interface AllFilesContext extends ActionContext {
  /** Removes at once what no document uses and no backup in the data folder needs. */
  freeUnused: () => Promise<FreedFiles>
}

/** How much room the files of all documents take. */
export const readFilesRoom = machineAction({
  right: 'room.read',
  effect: 'reads',
  run: ({ store }): FilesRoom => {
    const { count, bytes } = store.files.unusedKept()
    return { bytes: store.files.bytesUsed(), unused_count: count, unused_bytes: bytes }
  },
})

export const freeUnusedFiles = machineAction({
  right: 'room.manage',
  effect: 'outside',
  permit: ownUserOnly('Only the user this machine belongs to may free the room of unused files.'),
  run: ({ context }: AccountTask<AllFilesContext>) => context.freeUnused(),
})
