/** A PNG as far as its header goes, which tells its size; what follows is `fill`, `bytes` in all. */
export function pngOf(width: number, height: number, { bytes = 33, fill = 0 } = {}): Buffer {
  const header = Buffer.alloc(25)
  header.writeUInt32BE(13)
  header.write('IHDR', 4, 'latin1')
  header.writeUInt32BE(width, 8)
  header.writeUInt32BE(height, 12)
  const head = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), header])
  return Buffer.concat([head, Buffer.alloc(Math.max(0, bytes - head.length), fill)])
}
