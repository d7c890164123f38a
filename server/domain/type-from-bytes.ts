const starts = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

/** What a file is by its first bytes. What isn't known, or could act as a page, is nothing but bytes. */
export function fileTypeOf(head: Uint8Array): string {
  if (starts(head, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts(head, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (starts(head, 0, 'GIF87a') || starts(head, 0, 'GIF89a')) return 'image/gif'
  if (starts(head, 0, 'RIFF') && starts(head, 8, 'WEBP')) return 'image/webp'
  if (starts(head, 4, 'ftypavif') || starts(head, 4, 'ftypavis')) return 'image/avif'
  if (starts(head, 0, 'ID3') || isMpegFrame(head)) return 'audio/mpeg'
  if (starts(head, 0, 'fLaC')) return 'audio/flac'
  if (starts(head, 0, 'OggS')) return 'audio/ogg'
  if (starts(head, 0, 'RIFF') && starts(head, 8, 'WAVE')) return 'audio/wav'
  if (starts(head, 4, 'ftypM4A')) return 'audio/mp4'
  if (
    ['isom', 'iso2', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V ', 'qt  '].some((brand) =>
      starts(head, 4, `ftyp${brand}`),
    )
  )
    return 'video/mp4'
  if (starts(head, 0, '\x1a\x45\xdf\xa3')) return 'video/webm'
  return 'application/octet-stream'
}

/** The head of an MPEG audio frame of layer III, without an ID3 tag before it. */
const isMpegFrame = (head: Uint8Array) => head[0] === 0xff && (head[1]! & 0xe6) === 0xe2

/** Whether a browser may show it where it stands. */
export const isPicture = (type: string) => type.startsWith('image/')
