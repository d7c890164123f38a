// ngrok's library for the packages: npm installs the native part for the machine that it runs on, and packages are
// made for other processors and systems, too.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { install } from '../install.mjs'
import { ngrokFolder, root, type Processor, type System } from './configuration.ts'

/** As ngrok calls them; on Linux the part is for those that have glibc, which Electron needs, too. */
const suffixes: Record<System, string> = { linux: '-gnu', darwin: '', win32: '-msvc' }

/** The file of the native part, such as `@ngrok/ngrok-linux-x64-gnu/ngrok.linux-x64-gnu.node`. */
export function nativeFile(system: System, processor: Processor): string {
  const target = `${system}-${processor}${suffixes[system]}`
  return `@ngrok/ngrok-${target}/ngrok.${target}.node`
}

interface Lock {
  lockfileVersion: number
  packages: Record<string, { version: string; integrity: string } | undefined>
}

/**
 * Lays the native part out where packing takes it from: as it was installed here, or else fetched by npm, which holds it
 * against the lock file's digest.
 * @throws Error whose message says what to do
 */
export async function layOutNgrok(system: System, processor: Processor): Promise<void> {
  const name = path.posix.dirname(nativeFile(system, processor))
  const place = `node_modules/${name}`
  const target = ngrokFolder(system, processor)
  rmSync(target, { recursive: true, force: true })
  const installed = path.join(root, place)
  if (existsSync(installed)) {
    cpSync(installed, path.join(target, place), { recursive: true })
    return
  }
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
  const locked = lock.packages[place]
  if (!locked) throw new Error(`package-lock.json doesn’t name ${name}; see build/package/ngrok.ts.`)
  const manifest = { name: 'natives', version: '0.0.0', dependencies: { [name]: locked.version } }
  const packages = { '': manifest, [place]: { version: locked.version, integrity: locked.integrity } }
  // Another name until it is whole.
  const unfinished = `${target}.part`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const write = (file: string, json: object) =>
    writeFileSync(path.join(unfinished, file), JSON.stringify(json))
  write('package.json', manifest)
  write('package-lock.json', { ...manifest, lockfileVersion: lock.lockfileVersion, packages })
  await install(unfinished, [`--os=${system}`, `--cpu=${processor}`, '--libc=glibc', '--ignore-scripts'])
  renameSync(unfinished, target)
}
