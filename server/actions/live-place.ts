import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { GalleyEvent } from '../contract/events.ts'
import { DocumentTask, type AccountTask } from './task.ts'

/** Of this process: after a restart nobody’s place is known any more, and they ask for everything. */
const key = randomBytes(32)
const algorithm = 'aes-256-gcm'
const lengths = { nonce: 12, tag: 16, seq: 8 }

/**
 * How far somebody has heard, in words that they say when they come back. Whoever came by a link gets the number sealed:
 * it would tell them how much goes on in the account. Each place looks unlike every other, also of the same number: two
 * that are alike would tell that nothing has happened in between, and two that aren’t that something has.
 */
export function placeOf(task: DocumentTask | AccountTask, seq: number): string {
  if (task.principal.kind !== 'link') return String(seq)
  const nonce = randomBytes(lengths.nonce)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(markOf(task))
  const block = Buffer.alloc(lengths.seq)
  block.writeBigUInt64BE(BigInt(seq))
  const sealed = Buffer.concat([cipher.update(block), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** By the last event that is told, the places of those who are told it at one time, by their document. */
const toldAtOnce = new WeakMap<GalleyEvent, Map<string, string>>()

/**
 * How far those have heard who are told of events as they happen. Of one document it is sealed once for all: they hear at
 * one time, so that the same place says nothing more, and there may be hundreds of them with each letter.
 */
export function placeAfter(task: DocumentTask | AccountTask, event: GalleyEvent): string {
  if (task.principal.kind !== 'link' || !(task instanceof DocumentTask)) return placeOf(task, event.seq)
  const places = toldAtOnce.get(event) ?? new Map<string, string>()
  toldAtOnce.set(event, places)
  const { id } = task.document
  const place = places.get(id) ?? placeOf(task, event.seq)
  places.set(id, place)
  return place
}

/** The number that a place stands for; undefined where this process hasn’t given it to them. */
export function seqAt(task: DocumentTask | AccountTask, place: string): number | undefined {
  if (task.principal.kind !== 'link') return /^\d{1,15}$/.test(place) ? Number(place) : undefined
  const bytes = Buffer.from(place, 'base64url')
  const { nonce, tag, seq } = lengths
  if (bytes.length !== nonce + tag + seq) return undefined
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonce), { authTagLength: tag })
    .setAAD(markOf(task))
    .setAuthTag(bytes.subarray(nonce, nonce + tag))
  const block = decipher.update(bytes.subarray(nonce + tag))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return Number(block.readBigUInt64BE())
}

/** Tells one document’s places from another’s. */
const markOf = (task: DocumentTask | AccountTask) =>
  Buffer.from(task instanceof DocumentTask ? task.document.id : '')
