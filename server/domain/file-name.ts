import { firstCodePoints } from './code-points.ts'

// File systems take 255 bytes or units; what is left over is for an ending, a number, or a folder's sync marks.
const LONGEST = 200

/** A title as a file name, without ending, that every usual file system takes. */
export function fileNameOf(title: string): string {
  const safe = withinBytes(
    title
      .toWellFormed()
      .normalize('NFC')
      // eslint-disable-next-line no-control-regex -- control characters are just what no file name may have
      .replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^[. ]+/, ''),
  ).replace(/[. ]+$/, '')
  return safe === '' || isReserved(safe) ? `Untitled${safe && ` ${safe}`}` : safe
}

/** Windows keeps these for devices, whatever comes after a dot. */
export const isReserved = (name: string) => /^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i.test(name)

/** As much of it as every usual file system takes. */
export function withinBytes(text: string): string {
  const bytes = new TextEncoder().encode(firstCodePoints(text, 100))
  if (bytes.length <= LONGEST) return new TextDecoder().decode(bytes)
  let end = LONGEST
  // Not between the bytes of one character.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return new TextDecoder().decode(bytes.subarray(0, end))
}
