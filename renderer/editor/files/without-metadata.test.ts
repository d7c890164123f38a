import { expect, test } from 'vitest'
import { pictureSizeOf } from '../../../server/domain/picture-size.ts'
import { orientationIn } from './exif-orientation.ts'
import { isHeic } from './heic.ts'
import { withoutMetadata } from './without-metadata.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((sign) => sign.charCodeAt(0)) : part)),
  )
const segment = (marker: number, content: string) => [
  ...[0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255],
  ...bytes(content),
]
const tiff = (orientation: number) =>
  `MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`
const exif = `Exif\0\0${tiff(1)} taken here`
const frame = segment(0xc0, '\x08\x02\x58\x03\x20\x03')
const scan = (words: string) => [0xff, 0xda, 0, 2, ...bytes(words)]
const end = bytes(
  scan('what it \xff\0 shows\xff\xd0'),
  segment(0xc4, 'a table with \xff\xd9'),
  scan('is left alone'),
  [0xff, 0xd9],
)

test('a JPEG loses where and with what it was taken, and nothing of what it shows', () => {
  const kept = [
    ...[segment(0xe0, 'JFIF\0 size'), segment(0xe2, 'ICC_PROFILE\0 colours'), segment(0xee, 'Adobe'), frame],
  ]
  const photo = bytes(
    [0xff, 0xd8],
    segment(0xe1, exif),
    kept[0]!,
    segment(0xe0, 'JFXX\0 a preview'),
    segment(0xed, 'Photoshop'),
    kept[1]!,
    segment(0xe2, 'MPF\0 further pictures'),
    segment(0xeb, 'JP a record of where it came from'),
    segment(0xfe, 'by me'),
    kept[2]!,
    kept[3]!,
    [...end],
    ...[[0xff, 0xd8], segment(0xe1, exif), [...end]],
  )
  expect(withoutMetadata(photo)).toEqual(bytes([0xff, 0xd8], ...kept, [...end]))
})

test('a JPEG that was taken askew is still turned, by that alone', () => {
  const photo = bytes([0xff, 0xd8], segment(0xe1, `Exif\0\0${tiff(6)} taken here`), frame, [...end])
  const bare = withoutMetadata(photo)!
  expect(new TextDecoder('latin1').decode(bare)).not.toContain('taken here')
  expect(orientationIn(bare.subarray(12))).toBe(6)
  expect(pictureSizeOf('image/jpeg', bare)).toEqual(pictureSizeOf('image/jpeg', photo))
  expect(withoutMetadata(bare)).toEqual(bare)
})

test('a WebP loses its Exif and XMP, and says so; one that is to be turned is drawn anew', () => {
  const chunk = (name: string, content: string) =>
    bytes(name, [content.length, 0, 0, 0], content, content.length % 2 ? [0] : [])
  const whole = (flags: number, ...chunks: Uint8Array[]) => {
    const inside = bytes(
      'WEBP',
      ...[chunk('VP8X', `${String.fromCharCode(flags)}aaabbbbbb`), ...chunks].map((one) => [...one]),
    )
    return bytes('RIFF', [inside.length, 0, 0, 0], [...inside])
  }
  const picture = [chunk('ICCP', 'odd'), chunk('VP8 ', 'pixels')]
  const more = [chunk('EXIF', tiff(1)), chunk('XMP ', 'me'), chunk('????', 'else')]
  expect(withoutMetadata(bytes([...whole(0x2c, ...picture, ...more)], 'behind'))).toEqual(
    whole(0x20, ...picture),
  )
  expect(withoutMetadata(whole(0x2c, ...picture, chunk('EXIF', tiff(8))))).toBeNull()
  expect(withoutMetadata(whole(0x2c, ...picture).subarray(0, -3))).toBeNull()
})

test('a PNG loses its texts, and nothing of its pixels', () => {
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
  const kept = [
    ...chunk('IHDR', 'size'),
    ...chunk('pHYs', 'dots'),
    ...chunk('IDAT', 'words'),
    ...chunk('IEND', ''),
  ]
  const picture = bytes(
    sign,
    chunk('IHDR', 'size'),
    chunk('eXIf', 'here'),
    chunk('tEXt', 'me'),
    chunk('caBX', 'a record of where it came from'),
    chunk('pHYs', 'dots'),
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
  expect(orientationIn(odd)).toBe(1)
})

test('a GIF loses its comments, its XMP and what comes behind it, and still moves', () => {
  const blocks = (...contents: string[]) =>
    bytes(...contents.flatMap((content) => [[content.length], content]), [0])
  const header = bytes('GIF89a', [2, 0, 2, 0, 0x80, 0, 0], 'colour')
  const repeats = bytes([0x21, 0xff, 11], 'NETSCAPE2.0', [...blocks('\x01\0\0')])
  const delay = bytes([0x21, 0xf9], [...blocks('\0\x0a\0\0')])
  const frames = ['one', 'two'].map((data) =>
    bytes([...delay], [0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0x80], 'colour', [2], [...blocks(data)]),
  )
  const kept = [[...header], [...repeats], ...frames.map((frame) => [...frame]), [0x3b]]
  const said = [
    bytes([0x21, 0xfe], [...blocks('taken at home', 'by me')]),
    bytes([0x21, 0xff, 11], 'XMP DataXMP', [...blocks('where it was')]),
  ].map((one) => [...one])
  const gif = bytes(kept[0]!, said[0]!, kept[1]!, kept[2]!, said[1]!, kept[3]!, kept[4]!, 'behind it')
  expect(withoutMetadata(gif)).toEqual(bytes(...kept))
  expect(withoutMetadata(bytes(...kept))).toEqual(bytes(...kept))
  for (const length of [8, 30, 60, gif.length - 10])
    expect(withoutMetadata(gif.subarray(0, length))).toBeNull()
})

test('photos in HEIC are told from AVIF, which is built the same way', () => {
  const file = (...brands: string[]) => bytes([0, 0, 0, 8 + brands.length * 4], 'ftyp', ...brands, 'meta')
  expect(isHeic(file('heic', '\0\0\0\0', 'mif1', 'heic'))).toBe(true)
  expect(isHeic(file('mif1', '\0\0\0\0', 'heic'))).toBe(true)
  expect(isHeic(file('mif1', '\0\0\0\0', 'avif'))).toBe(false)
  expect(isHeic(file('avif', '\0\0\0\0', 'mif1'))).toBe(false)
  expect(isHeic(file('isom'))).toBe(false)
  expect(isHeic(bytes('GIF89a'))).toBe(false)
})
