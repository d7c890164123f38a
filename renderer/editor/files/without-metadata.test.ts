import { expect, test } from 'vitest'
import { orientationOf, withoutMetadata } from './without-metadata.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((sign) => sign.charCodeAt(0)) : part)),
  )
const segment = (marker: number, content: string) => [
  ...[0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255],
  ...bytes(content),
]
const exif = `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0`
const frame = segment(0xc0, '\x08\x02\x58\x03\x20\x03')
const scan = (words: string) => [0xff, 0xda, 0, 2, ...bytes(words)]
const end = bytes(
  scan('what it \xff\0 shows\xff\xd0'),
  segment(0xc4, 'a table with \xff\xd9'),
  scan('is left alone'),
  [0xff, 0xd9],
)

test('a JPEG loses where and with what it was taken, and nothing of what it shows', () => {
  const profile = segment(0xe2, 'ICC_PROFILE')
  const photo = bytes(
    [0xff, 0xd8],
    segment(0xe1, exif),
    segment(0xed, 'Photoshop'),
    profile,
    segment(0xfe, 'by me'),
    frame,
    [...end],
    ...[[0xff, 0xd8], segment(0xe1, exif), [...end]],
  )
  expect(orientationOf(photo)).toBe(6)
  expect(withoutMetadata(photo)).toEqual(bytes([0xff, 0xd8], profile, frame, [...end]))
})

test('a PNG loses its texts', () => {
  const chunk = (name: string, content: string) => [
    0,
    0,
    0,
    content.length,
    ...bytes(name, content),
    1,
    2,
    3,
    4,
  ]
  const sign = '\x89PNG\r\n\x1a\n'
  const kept = [...chunk('IHDR', 'size'), ...chunk('IDAT', 'words'), ...chunk('IEND', '')]
  const picture = bytes(
    sign,
    chunk('IHDR', 'size'),
    chunk('eXIf', 'here'),
    chunk('tEXt', 'me'),
    chunk('IDAT', 'words'),
    chunk('IEND', ''),
  )
  expect(withoutMetadata(picture)).toEqual(bytes(sign, kept))
})

test.each<[string, Uint8Array]>([
  ['cut off', bytes([0xff, 0xd8], segment(0xe1, exif).slice(0, 9))],
  ['without a picture', bytes([0xff, 0xd8], segment(0xe1, exif))],
  ['with lengths that lie', bytes([0xff, 0xd8, 0xff, 0xe1, 0, 0, 1, 2])],
  ['a PNG that ends too early', bytes('\x89PNG\r\n\x1a\n', [0, 0, 9, 9], 'IDAT')],
  ['something else', bytes('hello')],
])('what is %s is left to be drawn anew', (_name, odd) => {
  expect(withoutMetadata(odd)).toBeNull()
  expect(orientationOf(odd)).toBeLessThanOrEqual(6)
})
