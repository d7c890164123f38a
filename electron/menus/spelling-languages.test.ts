import { expect, test } from 'vitest'
import { languageName, pickLanguage, sortLanguages } from './spelling-languages.ts'

const available = ['de', 'en-AU', 'en-GB', 'en-US', 'fr', 'pt-BR', 'pt-PT']

test('languages have names, and codes that have none are shown as they are', () => {
  expect(languageName('en-GB', 'en-US')).toBe('English (United Kingdom)')
  expect(languageName('de', 'de-DE')).toBe('Deutsch')
  expect(languageName('not a code', 'en-US')).toBe('not a code')
})

test('the nearest language is the very one, else one that differs by country only', () => {
  expect(pickLanguage(['en-GB', 'de-DE'], available)).toBe('en-GB')
  expect(pickLanguage(['de-AT'], available)).toBe('de')
  expect(pickLanguage(['EN-us'], available)).toBe('en-US')
  expect(pickLanguage(['ja', 'fr-CH'], available)).toBe('fr')
  expect(pickLanguage(['ja'], available)).toBeUndefined()
  expect(pickLanguage([], available)).toBeUndefined()
})

test('what somebody may look for stands first, all of it by name', () => {
  const name = (code: string) => languageName(code, 'en-US')
  expect(sortLanguages(available, ['pt-PT', 'de-AT'], name)).toEqual({
    near: ['de', 'pt-BR', 'pt-PT'],
    others: ['en-AU', 'en-GB', 'en-US', 'fr'],
  })
  expect(sortLanguages(available, [], name).near).toEqual([])
})
