import { expect, it, vi } from 'vitest'
import { Commands, type Command } from './commands.svelte.ts'

const command = (id: string, rest: Partial<Command> = {}): Command => ({
  id,
  label: id,
  group: 'Help',
  run: () => {},
  ...rest,
})
const press = (key: string, rest: Partial<KeyboardEvent> = {}) =>
  ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    defaultPrevented: false,
    isComposing: false,
    target: null,
    preventDefault: () => {},
    ...rest,
  }) as KeyboardEvent

it('runs the command whose shortcut is pressed', () => {
  const commands = new Commands()
  const run = vi.fn()
  commands.add([command('a', { keys: 'n', run }), command('b', { keys: 'Mod-k' })])
  expect(commands.handle(press('n'))).toBe(true)
  expect(commands.handle(press('x'))).toBe(false)
  expect(run).toHaveBeenCalledOnce()
})
it('leaves the editor’s shortcuts to the editor, and all of them to a dialog', () => {
  const commands = new Commands()
  commands.add([command('a', { keys: 'Mod-b', editorOnly: true }), command('b', { keys: 'n' })])
  expect(commands.handle(press('b', { ctrlKey: true }))).toBe(false)
  commands.paused = true
  expect(commands.handle(press('n'))).toBe(false)
})
it('takes a page’s commands away with the page', () => {
  const commands = new Commands()
  commands.add([command('always')])
  const remove = commands.add([command('page')])
  expect(commands.all.map(({ id }) => id)).toEqual(['always', 'page'])
  remove()
  expect(commands.all.map(({ id }) => id)).toEqual(['always'])
})

it('knows where nothing can be typed into: keys of the bare page work on buttons and choices', () => {
  const commands = new Commands()
  const run = vi.fn()
  commands.add([command('undo', { keys: 'Mod-z', barePage: true, run })])
  const on = (tagName: string, type = '') =>
    commands.handle(press('z', { ctrlKey: true, target: { tagName, type } as never }))
  expect([on('INPUT', 'radio'), on('INPUT', 'checkbox'), on('BUTTON')]).toEqual([true, true, true])
  expect([on('INPUT', 'text'), on('INPUT'), on('TEXTAREA')]).toEqual([false, false, false])
})
