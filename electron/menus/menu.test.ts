import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { shortcuts } from '../../server/contract/shortcuts.ts'
import { applicationMenu, terminalEntries, type MenuActions } from './menu.ts'
import { accelerator, toTemplate, type MenuContext, type MenuEntry } from './menu-entry.ts'

const actions: MenuActions = {
  newWindow() {},
  backUp() {},
  restore() {},
  revealData() {},
  revealLogs() {},
  zoom: () => () => {},
}
const none: MenuContext = { findCommand: () => undefined, runCommand() {} }
const build = (mac: boolean, context = none, terminal: MenuEntry[] = []) =>
  toTemplate(
    applicationMenu({
      mac,
      isPackaged: true,
      name: 'Galley',
      actions,
      spelling: [],
      recent: [],
      updates: [],
      terminal,
    }),
    context,
  )
const labels = (template: MenuItemConstructorOptions[]) =>
  template.map(({ label, role }) => label?.replace('&', '') ?? role)
const all = (template: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])])
const systems = [true, false]

test('the menus stand in the order of each platform', () => {
  const rest = ['File', 'Edit', 'Format', 'View', 'windowMenu', 'Help']
  expect(labels(build(false).template)).toEqual(rest)
  expect(labels(build(true).template)).toEqual(['Galley', ...rest])
})

test('macOS finds settings and quitting in the application’s menu, others in File', () => {
  const inMenu = (mac: boolean, name: string) => {
    const menu = build(mac).template.find(({ label }) => label?.replace('&', '') === name)
    return labels((menu?.submenu as MenuItemConstructorOptions[] | undefined) ?? [])
  }
  expect(inMenu(true, 'Galley')).toEqual(expect.arrayContaining(['Settings…', 'services', 'hide', 'quit']))
  expect(inMenu(true, 'File')).not.toContain('quit')
  expect(inMenu(false, 'File')).toEqual(expect.arrayContaining(['Settings…', 'quit']))
})

test.each(systems)('the command for terminals is offered, or its removal (macOS: %s)', (mac) => {
  const command = { file: '/usr/local/bin/galley', isSearched: true, isPassing: false }
  const offered = (state: 'there' | 'absent' | 'elsewhere' | 'taken') =>
    all(build(mac, none, terminalEntries({ ...command, state })).template).flatMap(({ label }) =>
      label?.includes('galley') ? [label] : [],
    )
  expect(offered('absent')).toEqual(['Install the galley Command'])
  expect(offered('elsewhere')).toEqual(['Install the galley Command'])
  expect(offered('there')).toEqual(['Remove the galley Command'])
  expect(terminalEntries(null)).toEqual([])
})

test.each(systems)('no shortcut is given twice (macOS: %s)', (mac) => {
  const given = all(build(mac).template).flatMap((item) => item.accelerator ?? [])
  expect(new Set(given).size).toBe(given.length)
  expect(given.length).toBeGreaterThan(20)
})

test.each(systems)('a shortcut that the page listens for is shown and not taken (macOS: %s)', (mac) => {
  const pages = new Set<string>(Object.values(shortcuts).map(accelerator))
  for (const { label, accelerator: keys, registerAccelerator } of all(build(mac).template)) {
    if (keys !== undefined) expect(registerAccelerator ?? true, label).toBe(!pages.has(keys))
  }
})

test('shortcuts are written as Electron writes them', () => {
  expect(['Mod-k', 'Mod-Shift-.', 'Mod-\\', 'Mod-Alt-1', 'Mod--'].map(accelerator)).toEqual([
    'CommandOrControl+k',
    'CommandOrControl+Shift+.',
    'CommandOrControl+\\',
    'CommandOrControl+Alt+1',
    'CommandOrControl+-',
  ])
})

test('an entry can be chosen while the page in front has its command, and shows whether it is on', () => {
  const context = {
    ...none,
    findCommand: (id: string) => ({ save: {}, outline: { checked: true }, reading: { checked: false } })[id],
  }
  const { template, changing } = build(false, context)
  const find = (label: string) => all(template).find((item) => item.label === label)
  expect(find('Save Now')).toMatchObject({ enabled: true })
  expect(find('Duplicate')).toMatchObject({ enabled: false })
  expect(find('Outline')).toMatchObject({ enabled: true, type: 'checkbox', checked: true })
  expect(find('Reading View')).toMatchObject({ enabled: true, type: 'checkbox', checked: false })
  // What makes sense without any page never waits for one.
  expect(find('New Document')).toMatchObject({ enabled: true })
  expect(changing.map(({ id }) => id)).toContain(find('Outline')!.id)
})
