import { expect, test } from 'vitest'
import type { ShownMoment } from './history-player.svelte.ts'
import { whatWords, whenWords } from './moment-words.ts'

const people = [
  { author_id: 'a', author_name: 'Olga', key_name: null },
  { author_id: null, author_name: 'Ada', key_name: null },
  { author_id: 'a', author_name: 'Olga', key_name: 'Agent' },
]
const moment = (by: number[], added: number, removed: number, kind = 'edit') =>
  ({ moment: { entry: { kind } }, added, removed, by }) as unknown as ShownMoment
const said = (...of: Parameters<typeof moment>) =>
  whatWords(moment(...of), people).replaceAll(/[\u2068\u2069]/g, '')

test('what was done is said with who did it', () => {
  expect(said([1], 1, 0)).toBe('Ada (guest) added 1 character')
  expect(said([0], 0, 1_204)).toBe('Olga removed 1,204 characters')
  expect(said([2], 12, 3)).toBe('Agent (script) added 12 and removed 3 characters')
  expect(said([0, 1], 5, 0)).toBe('Olga and Ada (guest) added 5 characters')
  expect(said([0], 0, 0)).toBe('Olga changed nothing in the text')
  expect(said([0], 9, 0, 'create')).toBe('Olga began the text')
  expect(said([0], 9, 4, 'restore')).toBe('Olga restored an older text')
  expect(said([1], 9, 0, 'suggestion')).toBe('Ada (guest) suggested what was accepted: added 9 characters')
  expect(said([0], 3, 9, 'reopening')).toBe(
    'Olga took back what was accepted: added 3 and removed 9 characters',
  )
})

test('when it was is said by the day', () => {
  const now = new Date(2026, 2, 2, 12, 0).getTime()
  expect(whenWords(new Date(2026, 2, 2, 9, 5).getTime(), now, 'en-GB')).toBe('Today, 09:05')
  expect(whenWords(new Date(2026, 2, 1, 9, 5).getTime(), now, 'en-GB')).toBe('Yesterday, 09:05')
})
