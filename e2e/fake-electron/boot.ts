// Electron's start, faked: its switches, the module `electron`, `-r` preloads, the main file of package.json, ready.
import { readFileSync, statSync } from 'node:fs'
import inspector from 'node:inspector'
import { createRequire, registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readCommandLine } from './command-line.ts'

const electron = new URL('./electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    /^electron(\/(main|common|utility))?$/.test(specifier)
      ? { url: electron, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})

const { required, target, inspect } = readCommandLine(process.argv.slice(2))
const isFolder = statSync(target).isDirectory()
const appPath = isFolder ? target : path.dirname(target)
const manifest = isFolder
  ? (JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8')) as {
      main: string
      name: string
      productName?: string
      version: string
    })
  : undefined
// As in Electron, the program's own name is followed by everything it was given.
process.argv = [process.argv[0]!, ...process.argv.slice(2)]
for (const name of ['electron', 'chrome'])
  Object.defineProperty(process.versions, name, { value: 'fake', enumerable: true })
Object.assign(process, {
  type: 'browser',
  defaultApp: true,
  resourcesPath: path.join(appPath, 'resources'),
})

// Prints “Debugger listening on …”, for which Playwright waits.
if (inspect) inspector.open(0)

const { start } = await import('./electron.ts')
const require = createRequire(import.meta.url)
for (const file of required) require(path.resolve(file))
await start({
  appPath,
  name: manifest?.productName ?? manifest?.name ?? 'Electron',
  version: manifest?.version ?? '0.0.0',
  loadMain: () => import(pathToFileURL(manifest ? path.join(target, manifest.main) : target).href),
})
