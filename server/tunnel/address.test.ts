import { describe, expect, test } from 'vitest'
import { readAddress } from './address.ts'

describe('an owner’s address', () => {
  test.each([
    ['https://galley.example.org', 'https://galley.example.org'],
    ['  https://galley.example.org/ ', 'https://galley.example.org'],
    ['galley.example.org', 'https://galley.example.org'],
    ['galley.example.org:8443', 'https://galley.example.org:8443'],
    ['HTTPS://Galley.Example.org:443', 'https://galley.example.org'],
    ['http://100.64.0.7:4781', 'http://100.64.0.7:4781'],
    ['http://[fd00::1]:80/', 'http://[fd00::1]'],
    ['https://gällei.example', 'https://xn--gllei-gra.example'],
  ])('“%s” is %s', (typed, origin) => expect(readAddress(typed)).toBe(origin))

  test.each([
    ['', /which address/],
    ['   ', /which address/],
    ['https://', /no address/],
    ['not an address', /no address/],
    ['ftp://galley.example.org', /starts with https/],
    ['file:///etc/passwd', /no address|starts with https/],
    ['https://me:secret@galley.example.org', /name or password/],
    ['https://galley.example.org/share', /ends after it, as in https:\/\/galley\.example\.org/],
    ['https://galley.example.org/?a', /ends after it/],
  ])('“%s” is refused, saying what to do', (typed, words) => {
    expect(() => readAddress(typed)).toThrow(words)
    try {
      readAddress(typed)
    } catch (error) {
      expect(error).toMatchObject({ reason: 'not set up', final: true })
    }
  })
})
