import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findForbiddenImports } from './import-rules.ts'

let root: string

/** Writes files whose whole content is the imports given for them, and returns the names of the rules they break. */
async function broken(files: Record<string, string[]>) {
  for (const [file, imports] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    const lines = imports.map((target) => (target.startsWith('import') ? target : `import '${target}'`))
    const script = [...lines, 'export const x = 1'].join('\n')
    writeFileSync(
      path.join(root, file),
      file.endsWith('.svelte') ? `<script lang="ts">${lines.join('\n')}</script>` : script,
    )
  }
  const lines = await findForbiddenImports(root)
  return lines.map((line) => /\(([^()]+)\)$/.exec(line)?.[1])
}

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'galley-imports-'))
  writeFileSync(
    path.join(root, 'package.json'),
    '{"dependencies":{"typebox":"1","fastify":"5","electron":"45"},"devDependencies":{"yaml":"2"}}',
  )
  for (const name of ['typebox', 'fastify', 'electron', 'yaml']) {
    mkdirSync(path.join(root, 'node_modules', name), { recursive: true })
    writeFileSync(
      path.join(root, 'node_modules', name, 'package.json'),
      `{"name":"${name}","main":"index.js"}`,
    )
    writeFileSync(path.join(root, 'node_modules', name, 'index.js'), 'export const Type = 1')
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the imports of the architecture are allowed', async () => {
  const files = {
    'server/contract/routes.ts': ['typebox'],
    'server/domain/access.ts': ['../contract/routes.ts'],
    'server/store/documents.ts': ['../domain/access.ts', '../contract/routes.ts', 'node:fs'],
    'server/live/session.ts': ['../domain/access.ts'],
    'server/actions/documents.ts': ['../store/documents.ts'],
    'server/http/reply.ts': ['../actions/documents.ts', 'fastify'],
    'server/http/owner/routes.ts': ['../reply.ts', '../../live/session.ts'],
    'server/http/share/routes.ts': ['../reply.ts'],
    'server/app.ts': ['./http/owner/routes.ts', './http/share/routes.ts', './store/documents.ts'],
    'server/index.ts': ['./app.ts'],
    'electron/server/process.ts': ['../../server/index.ts', '../../server/contract/routes.ts'],
    'electron/windows/window.ts': ['electron'],
    'electron/menus/menu.ts': ['../windows/window.ts'],
    'electron/main.ts': ['electron', './menus/menu.ts'],
    'renderer/ui/Button.svelte': [],
    'renderer/owner/App.svelte': ['../ui/Button.svelte', '../../server/domain/access.ts'],
    'server/http/owner/routes.test.ts': ['../../app.ts', '../../testing/galley.ts', 'node:os'],
    'server/testing/galley.ts': ['../app.ts', '../store/testing/store.ts', 'node:fs'],
    'server/store/testing/store.ts': ['../documents.ts', 'yaml'],
  }
  expect(await broken(files)).toEqual([])
})

test.each([
  ['contract/routes.ts', ['../domain/access.ts'], ['contract-imports']],
  ['contract/routes.ts', ['fastify'], ['contract-packages']],
  ['contract/routes.ts', ['node:crypto'], ['contract-without-node']],
  ['domain/rule.ts', ['../store/documents.ts'], ['domain-imports']],
  ['domain/rule.ts', ['node:fs'], ['domain-without-node']],
  ['live/session.ts', ['../store/documents.ts'], ['live-imports']],
  ['live/session.ts', ['../http/reply.ts'], ['live-imports']],
  ['store/other.ts', ['../http/reply.ts'], ['store-imports']],
  ['http/owner/a.ts', ['../share/b.ts'], ['http-owner-imports']],
  ['http/share/a.ts', ['../owner/b.ts'], ['http-share-imports']],
  ['http/routes.ts', ['./owner/b.ts'], ['http-imports']],
  ['http/a.ts', ['../app.ts'], ['http-imports']],
  ['app.ts', ['electron'], ['electron-in-its-shell']],
  ['app.ts', ['yaml'], ['server-runs-without-tools']],
  ['app.ts', ['../electron/main.ts'], ['server-imports']],
  ['app.ts', ['../build/stale.ts'], ['server-imports']],
  ['domain/rule.ts', ["import type { x } from '../store/documents.ts'"], ['domain-imports']],
  ['domain/rule.ts', ['../contract/other.test.ts'], ['tests-are-not-imported']],
  ['domain/rule.ts', ['./testing/texts.ts'], ['testing-is-for-tests']],
  ['app.ts', ['./testing/galley.ts'], ['server-imports', 'testing-is-for-tests']],
  ['domain/rule.ts', ['../contract/gone.ts'], ['resolvable']],
  ['elsewhere/file.ts', ['../domain/access.ts'], ['known-folders']],
])('server/%s may not import %j', async (file, imports, rules) => {
  const others = [
    'domain/access.ts',
    'store/documents.ts',
    'http/reply.ts',
    'http/owner/b.ts',
    'http/share/b.ts',
  ]
  const testing = ['contract/other.test.ts', 'testing/galley.ts', 'domain/testing/texts.ts']
  const targets = [...others, ...testing, 'app.ts', '../electron/main.ts', '../build/stale.ts']
  const files = Object.fromEntries(
    targets.map((target) => [path.posix.join('server', target), [] as string[]]),
  )
  expect(await broken({ ...files, [`server/${file}`]: imports })).toEqual(rules)
})

test.each([
  ['renderer/owner/App.svelte', '../share/Viewer.svelte', 'renderer-owner-imports'],
  ['renderer/share/Viewer.svelte', '../owner/App.svelte', 'renderer-share-imports'],
  ['renderer/ui/Button.svelte', '../owner/App.svelte', 'renderer-imports'],
  ['renderer/api/client.ts', '../../server/store/documents.ts', 'renderer-imports'],
  ['renderer/api/client.ts', 'node:fs', 'renderer-without-node'],
  ['renderer/api/client.test.ts', '../../server/store/documents.ts', 'tests-stay-on-their-side'],
  ['electron/main.ts', '../server/store/documents.ts', 'electron-imports'],
  ['electron/main.ts', '../server/app.ts', 'electron-imports'],
  ['electron/windows/window.ts', '../menus/menu.ts', 'electron-windows-imports'],
  ['electron/menus/menu.ts', '../main.ts', 'electron-menus-imports'],
  ['electron/lobby/desk.ts', '../main.ts', 'known-folders'],
  ['e2e/reading.spec.ts', '../server/app.ts', 'e2e-imports'],
])('%s may not import %s', async (file, target, rule) => {
  const targets = [
    'server/store/documents.ts',
    'server/app.ts',
    'renderer/owner/App.svelte',
    'renderer/share/Viewer.svelte',
    'electron/main.ts',
    'electron/menus/menu.ts',
  ]
  const files = Object.fromEntries(targets.map((name) => [name, [] as string[]]))
  expect(await broken({ ...files, [file]: [target] })).toEqual([rule])
})

test('a circle of imports is refused, through types as well', async () => {
  const files = {
    'server/domain/a.ts': ['./b.ts'],
    'server/domain/b.ts': ["import type { x } from './a.ts'"],
  }
  expect(await broken(files)).toContain('no-cycles')
})

test('a circle through what components import for their types is refused, and names them', async () => {
  const files = {
    'renderer/owner/Form.svelte': ["import type { FormProps } from './forms.ts'"],
    'renderer/owner/forms.ts': ['./Form.svelte'],
  }
  expect(await broken(files)).toContain('no-cycles')
  const circle = 'renderer/owner/Form.svelte → renderer/owner/forms.ts → renderer/owner/Form.svelte'
  expect((await findForbiddenImports(root)).some((line) => line.startsWith(circle))).toBe(true)
})
