const starts = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

/** What a file is by its first bytes. What isn't known, or could act as a page, is nothing but bytes. */
export function fileTypeOf(head: Uint8Array): string {
  if (starts(head, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts(head, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (starts(head, 0, 'GIF87a') || starts(head, 0, 'GIF89a')) return 'image/gif'
  if (starts(head, 0, 'RIFF') && starts(head, 8, 'WEBP')) return 'image/webp'
  if (starts(head, 4, 'ftypavif') || starts(head, 4, 'ftypavis')) return 'image/avif'
  return 'application/octet-stream'
}

/** Whether a browser may show it where it stands. */
export const isPicture = (type: string) => type.startsWith('image/')
