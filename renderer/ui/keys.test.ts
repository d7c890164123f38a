import { expect, it } from 'vitest'
import { ariaKeys, keyLabels, matches } from './keys.ts'

const press = (key: string, mods: Partial<KeyboardEvent> = {}) =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...mods }) as KeyboardEvent

it('spells a shortcut as it stands on the keys', () => {
  expect(keyLabels('Mod-Shift-k')).toEqual(['Ctrl', 'Shift', 'K'])
  expect(keyLabels('?')).toEqual(['?'])
  expect(keyLabels('Escape Tab')).toEqual(['Esc', 'Tab'])
  expect(keyLabels('Mod-\\')).toEqual(['Ctrl', '\\'])
})
it('spells it for assistive technology', () => expect(ariaKeys('Mod-Shift-e')).toBe('Control+Shift+e'))
it('knows a shortcut when it is pressed, and nothing more than it', () => {
  expect(matches(press('k', { ctrlKey: true }), 'Mod-k')).toBe(true)
  expect(matches(press('K', { ctrlKey: true, shiftKey: true }), 'Mod-k')).toBe(false)
  expect(matches(press('k'), 'Mod-k')).toBe(false)
  expect(matches(press('?', { shiftKey: true }), '?')).toBe(true)
  expect(matches(press('n', { altKey: true }), 'n')).toBe(false)
})
