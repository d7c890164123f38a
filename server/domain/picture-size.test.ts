import { expect, test } from 'vitest'
import { pictureSizeOf } from './picture-size.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const exif = (orientation: number) =>
  bytes([0xff, 0xe1, 0, 34], 'Exif\0\0', 'II*\0', [
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    0x01,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ])
const frame = [0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3]
const jpeg = (...more: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...more, Buffer.from(frame)])

test.each<[string, Buffer, { width: number; height: number } | null]>([
  [
    'image/png',
    bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 3, 32, 0, 0, 2, 88]),
    { width: 800, height: 600 },
  ],
  ['image/gif', bytes('GIF89a', [0x20, 0x03, 0x58, 0x02]), { width: 800, height: 600 }],
  [
    'image/webp',
    bytes('RIFF....WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0]),
    { width: 800, height: 600 },
  ],
  [
    'image/webp',
    bytes('RIFF....WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x1f, 0xc3, 0x95, 0x00]),
    { width: 800, height: 600 },
  ],
  [
    'image/webp',
    bytes('RIFF....WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 3, 0x58, 2]),
    { width: 800, height: 600 },
  ],
  ['image/jpeg', jpeg(), { width: 800, height: 600 }],
  ['image/jpeg', jpeg(exif(1)), { width: 800, height: 600 }],
  ['image/jpeg', jpeg(exif(6)), { width: 600, height: 800 }],
  [
    'image/avif',
    bytes(
      [0, 0, 0, 20],
      'ispe',
      [0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0, 20],
      'ispe',
      [0, 0, 0, 0, 0, 0, 3, 32, 0, 0, 2, 88],
    ),
    { width: 800, height: 600 },
  ],
  // What ends too early, or isn't what it says.
  ['image/png', bytes('\x89PNG\r\n\x1a\n'), null],
  ['image/gif', bytes('GIF89a', [0, 0, 0, 0]), null],
  ['image/webp', bytes('RIFF....WEBPnone', [0, 0, 0]), null],
  ['image/jpeg', bytes([0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0]), null],
  [
    'image/jpeg',
    bytes(
      [0xff, 0xd8],
      Array.from({ length: 5_000 }, () => 0xff),
    ),
    null,
  ],
  ['image/jpeg', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0]), null],
  ['image/avif', bytes('ftypavif'), null],
  ['application/octet-stream', bytes('anything'), null],
])('the size of %s is read from its first bytes (%#)', (type, head, size) => {
  expect(pictureSizeOf(type, head)).toEqual(size)
})
