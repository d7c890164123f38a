import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { largerThan, shownSize } from '../domain/shown-size.ts'
import type { Store } from '../store/store.ts'
import { isGuest } from './principal.ts'
import type { DocumentTask } from './task.ts'

/** How many bytes a file may still have, and what is said to one that has more. */
export interface FileRoom {
  bytes: number
  refusal: GalleyError
}

const gigabyte = 1024 ** 3

/** For a file that whoever asks adds to the task's document now. */
export function roomFor(task: DocumentTask): FileRoom {
  const { store, document, principal } = task
  const own = ownRoom(task)
  const inAll = roomInAll(store, document.owner_id, isGuest(principal))
  return inAll.bytes < own ? inAll : { bytes: own, refusal: tooLarge(own, mostOf(task)) }
}

function ownRoom(task: DocumentTask): number {
  const { store, document, principal } = task
  const { files } = store
  const { count, bytes } = files.used(document.number)
  if (count >= limits.documentFiles) return 0
  const ofDocument = limits.documentFileBytes - bytes
  const most = Math.min(mostOf(task), ofDocument)
  if (principal.kind !== 'link' || !isGuest(principal)) return most
  const ofLink = limits.linkFileBytes - files.usedByLink(document.number, principal.link.id)
  return Math.min(most, ofLink)
}

/** Of one file. */
const mostOf = ({ principal }: DocumentTask) =>
  principal.kind === 'link' && isGuest(principal) ? limits.guestFileBytes : limits.fileBytes

const tooLarge = (room: number, most: number) =>
  new GalleyError(
    'PAYLOAD_TOO_LARGE',
    room <= 0
      ? 'There is no room left for files here: delete some first. Nothing was stored.'
      : room < most
        ? `This file is larger than the ${shownSize(room)} that are left for files here. Nothing was stored.`
        : `${largerThan(most)} Nothing was stored.`,
  )

/**
 * What all files of the data folder leave of what an owner allows them. For guests what was deleted counts as long as it
 * is still there, so that by adding and deleting they don't fill the disk.
 */
function roomInAll(store: Store, owner: string, forGuest: boolean): FileRoom {
  const most = store.users.find(owner)?.files_gigabytes ?? null
  if (most === null) return { bytes: Infinity, refusal: tooLarge(0, 0) }
  const bytes = most * gigabyte - (forGuest ? store.files.bytesKept() : store.files.bytesUsed())
  const message = forGuest
    ? 'There is no room for this file: all files together take what this Galley’s owner lets them. Nothing was stored.'
    : `There is no room for this file in the ${most} GB that all files together may take. Delete some, or let them take more in Settings. Nothing was stored.`
  return { bytes, refusal: new GalleyError('STORAGE_FULL', message) }
}

/** @throws GalleyError STORAGE_FULL if a file of an owner's would be more than all may take together */
export function requireRoomInAll(store: Store, owner: string, size: number): void {
  const { bytes, refusal } = roomInAll(store, owner, false)
  if (size > bytes) throw refusal
}
