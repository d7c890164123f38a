import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { DocumentTask, type AccountTask } from './task.ts'

/** Of this process: after a restart nobody’s place is known any more, and they ask for everything. */
const key = randomBytes(16)

/**
 * How far somebody has heard, in words that they say when they come back. Whoever came by a link gets the number in one
 * enciphered block: it would tell them how much goes on in the account.
 */
export function placeOf(task: DocumentTask | AccountTask, seq: number): string {
  if (task.principal.kind !== 'link') return String(seq)
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const block = Buffer.alloc(8)
  block.writeBigUInt64BE(BigInt(seq))
  return Buffer.concat([cipher.update(block), cipher.update(markOf(task)), cipher.final()]).toString(
    'base64url',
  )
}

/** The number that a place stands for; undefined where this process hasn’t given it to them. */
export function seqAt(task: DocumentTask | AccountTask, place: string): number | undefined {
  if (task.principal.kind !== 'link') return /^\d{1,15}$/.test(place) ? Number(place) : undefined
  const sealed = Buffer.from(place, 'base64url')
  if (sealed.length !== 16) return undefined
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const block = Buffer.concat([decipher.update(sealed), decipher.final()])
  return block.subarray(8).equals(markOf(task)) ? Number(block.readBigUInt64BE()) : undefined
}

/** Tells one document’s places from another’s. */
const markOf = (task: DocumentTask | AccountTask) =>
  createHash('sha256')
    .update(task instanceof DocumentTask ? task.document.id : '')
    .digest()
    .subarray(0, 8)
