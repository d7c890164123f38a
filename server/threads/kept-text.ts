import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** A text as a keyframe holds it: as it is, or packed. */
export type KeptText = string | Uint8Array

export const packed = (text: string): Uint8Array => deflateRawSync(Buffer.from(text, 'utf8'), { level: 3 })

export const unpacked = (kept: KeptText): string =>
  typeof kept === 'string' ? kept : inflateRawSync(kept).toString('utf8')
