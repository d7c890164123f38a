import { crc32, deflateSync } from 'node:zlib'

/** A picture that browsers can show: each pixel from three bytes of what it is made of, over and over. */
export function realPng(width: number, height: number, { pixels = Buffer.from([0, 120, 110]) } = {}): Buffer {
  const row = width * 3
  const raw = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) {
    const at = y * (row + 1) + 1
    for (let x = 0; x < row; x++) raw[at + x] = pixels[(y * row + x) % pixels.length]!
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  whole.set(named, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
