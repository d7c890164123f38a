import type { FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

/** A text that many ask for, with its compressed forms, each made when it is first wanted. */
export interface Packable {
  plain: Buffer
  packed: Map<string, Buffer | Promise<Buffer>>
}
export interface PackedPage {
  headers: Record<string, string>
  bytes: Buffer
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const gzipOptions = { level: 6 }
const [brotliLater, gzipLater] = [promisify(brotliCompress), promisify(gzip)]
/** Above this many bytes packing is left to another thread; below, handing it over would cost as much. */
const packedHere = 64 * 1024
const packers: Record<string, (text: Buffer) => Buffer | Promise<Buffer>> = {
  br: (text) =>
    text.length > packedHere ? brotliLater(text, brotliOptions) : brotliCompressSync(text, brotliOptions),
  gzip: (text) => (text.length > packedHere ? gzipLater(text, gzipOptions) : gzipSync(text, gzipOptions)),
}

/** The best form that the request accepts, and the headers that name it. */
export function pack(request: FastifyRequest, page: Packable): PackedPage | Promise<PackedPage> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = ['br', 'gzip'].find((one) =>
    new RegExp(`(^|,)\\s*${one}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))|,|$)`).test(accepted),
  )
  const vary = { vary: 'accept-encoding' }
  if (encoding === undefined) return { headers: vary, bytes: page.plain }
  const headers = { ...vary, 'content-encoding': encoding }
  const packed = page.packed.get(encoding) ?? packWith(encoding, page)
  return packed instanceof Promise ? packed.then((bytes) => ({ headers, bytes })) : { headers, bytes: packed }
}

/** Whoever asks while it is being packed waits for the same. */
function packWith(encoding: string, { plain, packed }: Packable): Buffer | Promise<Buffer> {
  const packing = packers[encoding]!(plain)
  packed.set(encoding, packing)
  if (packing instanceof Promise)
    packing.then(
      (bytes) => packed.set(encoding, bytes),
      () => packed.delete(encoding),
    )
  return packing
}
