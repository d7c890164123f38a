import type { StoredFile } from '../../../server/contract/records/files.ts'

/**
 * The file of a document that has these very bytes already: pasted once more, or sent again after the answer was lost.
 * @returns null where there is none, or where that can't be told
 */
export async function sameFile(
  bytes: Blob,
  list: () => Promise<readonly StoredFile[]>,
): Promise<StoredFile | null> {
  // Over plain HTTP from another machine, browsers have none.
  const { subtle } = globalThis.crypto as Partial<Crypto>
  if (!subtle) return null
  // Whatever is wrong is told of the sending.
  const likely = (await list().catch(() => [])).filter(({ size }) => size === bytes.size)
  if (likely.length === 0) return null
  const digest = new Uint8Array(await subtle.digest('SHA-256', await bytes.arrayBuffer()))
  const sum = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return likely.find(({ sha256 }) => sha256 === sum) ?? null
}
