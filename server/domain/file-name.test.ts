import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameOf } from './file-name.ts'
import { safeFileName } from './stored-file-name.ts'

test.each([
  ['Plain title', 'Plain title'],
  ['', 'Untitled'],
  ['   ', 'Untitled'],
  ['...', 'Untitled'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
  ['../../etc/passwd', 'etc passwd'],
  ['.hidden', 'hidden'],
  ['ends with dots. . .', 'ends with dots'],
  ['tab\tand\r\nnew line\0', 'tab and new line'],
  ['CON', 'Untitled CON'],
  ['nul.txt', 'Untitled nul.txt'],
  ['Console', 'Console'],
  ['cafe\u0301', 'café'],
  ['x'.repeat(500), 'x'.repeat(100)],
  ['漢'.repeat(100), '漢'.repeat(66)],
  ['😀'.repeat(100), '😀'.repeat(50)],
])('%j', (title, name) => {
  expect(fileNameOf(title)).toBe(name)
})

test('any title makes a name that every file system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
      const name = fileNameOf(title)
      expect(name).not.toBe('')
      expect(name.isWellFormed()).toBe(true)
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(name).not.toMatch(/[\u0000-\u001f\u007f<>:"/\\|?*]|^[. ]|[. ]$/)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(220)
    }),
  )
})

test('a picture’s name is one that every usual file system takes, too', () => {
  expect(safeFileName('CON.png')).toBe('file-CON.png')
  expect(safeFileName('港'.repeat(200) + '.png')).toMatch(/^港{60,}\.png$/)
  expect(Buffer.byteLength(safeFileName('港'.repeat(200) + '.png'))).toBeLessThan(240)
})
