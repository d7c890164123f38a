// Packs for all systems around a dummy Electron, and looks at what people would get.
import { extractAll, getRawHeader } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import type { LinuxPackager } from 'electron-builder'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readIco } from '../icons/containers.ts'
import { iconPath } from '../icons/icons.ts'
import { packAroundDummy } from './around-dummy.ts'
import { addUpFolders, listAsar } from './asar.ts'
import { configure, root, type System } from './configuration.ts'
import { layOutNgrok, nativeFile } from './ngrok.ts'

const temporary = mkdtempSync(path.join(os.tmpdir(), 'galley-package-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const main = 'out/electron/main.mjs'
const bundles = [
  main,
  'out/server/index.mjs',
  'out/renderer/owner/index.html',
  'out/renderer/share/manifest.json',
]
const missing = bundles.filter((file) => !existsSync(path.join(root, file)))
const skipped = missing.length > 0 ? ` (skipped: ${missing.join(', ')} not built; run npm run build)` : ''

const layouts = {
  linux: { folders: ['linux-unpacked', 'linux-arm64-unpacked'], program: 'galley', resources: 'resources' },
  darwin: {
    folders: ['mac', 'mac-arm64'],
    program: 'Galley.app',
    resources: 'Galley.app/Contents/Resources',
  },
  win32: { folders: ['win-unpacked', 'win-arm64-unpacked'], program: 'Galley.exe', resources: 'resources' },
}

let desktopEntry = ''

interface DesktopEntries {
  computeDesktopEntry(options: object): Promise<string>
}

/** What deb, rpm and AppImage would install as the desktop entry: an unpacked folder has none. */
async function readDesktopEntry(packager: LinuxPackager) {
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  const { LinuxTargetHelper } = load('app-builder-lib/out/targets/LinuxTargetHelper.js') as {
    LinuxTargetHelper: new (packager: LinuxPackager) => DesktopEntries
  }
  // A copy, because it adds to the list it is given.
  return new LinuxTargetHelper(packager).computeDesktopEntry(
    structuredClone(packager.platformSpecificBuildOptions),
  )
}

async function pack(system: System) {
  await packAroundDummy(system, temporary, {
    afterPack: async ({ packager }) => {
      if (system === 'linux') desktopEntry = await readDesktopEntry(packager as LinuxPackager)
    },
  })
}

/** Why ngrok's parts for other machines can't be had, if they can't. */
const systems = ['linux', 'darwin', 'win32'] as const
const processors = ['x64', 'arm64'] as const
const withoutNgrok =
  missing.length > 0
    ? skipped
    : await Promise.all(
        systems.flatMap((system) => processors.map((processor) => layOutNgrok(system, processor))),
      ).then(
        () => undefined,
        (error: Error) => ` (skipped: ${error.message})`,
      )

/** What a native file says of the machine that it is for: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html, Mach-O's `mach_header_64`, and https://learn.microsoft.com/windows/win32/debug/pe-format. */
function machineOf(file: string): [system: string, processor: string] {
  const bytes = readFileSync(file)
  const nameOf = (names: Record<number, string>, code: number) => names[code] ?? code.toString(16)
  if (bytes.toString('latin1', 0, 4) === '\x7fELF')
    return ['linux', nameOf({ 0x3e: 'x64', 0xb7: 'arm64' }, bytes.readUInt16LE(18))]
  if (bytes.readUInt32LE(0) === 0xfeedfacf)
    return ['darwin', nameOf({ 0x01000007: 'x64', 0x0100000c: 'arm64' }, bytes.readUInt32LE(4))]
  const header = bytes.readUInt32LE(0x3c)
  expect(bytes.toString('latin1', header, header + 4)).toBe('PE\0\0')
  return ['win32', nameOf({ 0x8664: 'x64', 0xaa64: 'arm64' }, bytes.readUInt16LE(header + 4))]
}

const isExpected = (file: string) =>
  ['package.json', 'LICENSE', 'out/renderer/licences.json'].includes(file) ||
  /^out\/electron\/([\w.-]+\/)*[\w.-]+\.(mjs|cjs|js|html|css|svg|png|json|txt)$/.test(file) ||
  /^out\/electron\/icons\/tray(Template)?(@2x)?\.(png|ico)$/.test(file) ||
  /^out\/server\/[\w.-]+\.mjs$/.test(file) ||
  /^out\/renderer\/(owner|share)\/([\w.-]+\/)*[\w.-]+\.(js|css|html|svg|json|woff2)(\.br|\.gz)?$/.test(
    file,
  ) ||
  /^node_modules\/better-sqlite3\/(package\.json|LICENSE|lib\/(methods\/)?[\w-]+\.js)$/.test(file) ||
  /^node_modules\/@ngrok\/ngrok\/(package\.json|LICENSE-(MIT|APACHE)|index\.js)$/.test(file) ||
  /^node_modules\/@ngrok\/ngrok-[\w-]+\/package\.json$/.test(file)

describe.skipIf(missing.length > 0).each<System>(['linux', 'darwin', 'win32'])(
  `the package for %s${skipped}`,
  (system) => {
    const { folders, program, resources } = layouts[system]
    const at = (folder: string, ...names: string[]) => path.join(temporary, system, folder, ...names)
    const archiveIn = (folder: string) => at(folder, resources, 'app.asar')

    beforeAll(() => pack(system), 60_000)

    const builds = folders.map((folder, index) => [folder, processors[index]!] as const)

    test.each(builds)('%s holds the bundle, the binaries for it, and nothing else', (folder, processor) => {
      const files = listAsar(archiveIn(folder))
      const database = `node_modules/better-sqlite3/prebuilds/${system}-${processor}.node`
      const ngrok = `node_modules/${nativeFile(system, processor)}`
      const binaries = [...(withoutNgrok ? [] : [ngrok]), database]
      const paths = files.map((file) => file.path)
      expect(paths).toEqual(expect.arrayContaining([...bundles, 'package.json', 'LICENSE', ...binaries]))
      expect(paths.filter((file) => !binaries.includes(file) && !isExpected(file))).toEqual([])

      const unpacked = (from: string) =>
        readdirSync(from, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name)
      expect(
        files
          .filter((file) => file.unpacked)
          .map((file) => file.path)
          .sort(),
      ).toEqual(binaries)
      expect(unpacked(`${archiveIn(folder)}.unpacked`).sort()).toEqual(
        binaries.map((file) => path.basename(file)).sort(),
      )
      expect(readFileSync(path.join(`${archiveIn(folder)}.unpacked`, database))).toEqual(
        readFileSync(path.join(root, database)),
      )
    })

    test.skipIf(withoutNgrok).each(builds)(
      `ngrok’s library in %s is for that machine${withoutNgrok ?? ''}`,
      (folder, processor) => {
        const file = path.join(`${archiveIn(folder)}.unpacked`, 'node_modules', nativeFile(system, processor))
        expect(machineOf(file)).toEqual([system, processor])
      },
    )

    test('Electron’s own app is not in it, everybody’s licences are', () => {
      for (const folder of folders) {
        expect(readdirSync(at(folder, resources))).not.toContain('default_app.asar')
        // For macOS they are moved into the app only from an Electron that was fetched.
        const licences = ['LICENSE.electron.txt', 'LICENSES.chromium.html']
        if (system !== 'darwin') expect(readdirSync(at(folder))).toEqual(expect.arrayContaining(licences))
        const ours = at(folder, ...(system === 'darwin' ? [resources] : []), 'THIRD-PARTY-LICENCES.txt')
        expect(readFileSync(ours)).toEqual(readFileSync(path.join(root, 'out/THIRD-PARTY-LICENCES.txt')))
      }
    })

    test('the command galley is in it', () => {
      for (const folder of folders) {
        const name = system === 'win32' ? 'galley.cmd' : 'galley'
        const { mode } = statSync(at(folder, resources, 'bin', name))
        if (system !== 'win32' && process.platform !== 'win32') expect(mode & 0o111).toBe(0o111)
      }
    })

    test('the fuses are strict', async () => {
      for (const folder of folders) {
        const wire = await getCurrentFuseWire(at(folder, program))
        const states = wire as unknown as Record<number, FuseState>
        const on = [
          FuseV1Options.EnableCookieEncryption,
          FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
          FuseV1Options.OnlyLoadAppFromAsar,
        ]
        const off = [
          FuseV1Options.RunAsNode,
          FuseV1Options.EnableNodeOptionsEnvironmentVariable,
          FuseV1Options.EnableNodeCliInspectArguments,
          FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
          FuseV1Options.GrantFileProtocolExtraPrivileges,
        ]
        expect(on.map((fuse) => states[fuse])).toEqual(on.map(() => FuseState.ENABLE))
        expect(off.map((fuse) => states[fuse])).toEqual(off.map(() => FuseState.DISABLE))
      }
    })
  },
)

const here = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as string] as
  System | undefined
const folderHere = here && layouts[here].folders[process.arch === 'arm64' ? 1 : 0]

describe.skipIf(missing.length > 0 || !folderHere)(`what is packed for this system${skipped}`, () => {
  const app = path.join(temporary, 'extracted')
  beforeAll(() =>
    extractAll(path.join(temporary, here!, folderHere!, layouts[here!].resources, 'app.asar'), app),
  )

  test.skipIf(withoutNgrok)(`has ngrok’s library, which loads${withoutNgrok ?? ''}`, async () => {
    const library = createRequire(path.join(app, 'out/server/index.mjs')).resolve('@ngrok/ngrok')
    expect(path.relative(app, library)).toBe(path.normalize('node_modules/@ngrok/ngrok/index.js'))
    const { default: loaded } = (await import(pathToFileURL(library).href)) as {
      default: { SessionBuilder?: unknown }
    }
    expect(loaded.SessionBuilder).toBeTypeOf('function')
  })

  test('serves documents without anything that was left out', { timeout: 60_000 }, async () => {
    const data = path.join(temporary, 'data')
    const program = path.join(app, 'out/server/cli.mjs')
    const server = spawn(
      process.execPath,
      [program, 'serve', '--port', '0', '--share-port', '0', '--data', data],
      { stdio: ['ignore', 'pipe', 'inherit'], cwd: app },
    )
    const ended = once(server, 'exit')
    try {
      let url: string | undefined
      for await (const line of createInterface(server.stdout)) {
        url = /ready at (\S+)/.exec(line)?.[1]
        if (url) break
      }
      const page = await fetch(url!)
      expect(page.status).toBe(200)
      const script = /<script [^>]*src="([^"]+\.js)"/.exec(await page.text())![1]!
      expect((await fetch(new URL(script, url))).status).toBe(200)
      expect((await fetch(new URL('/docs', url))).status).toBe(200)
    } finally {
      server.kill('SIGTERM')
      await ended
    }
  })
})

const digest = (archive: string) =>
  createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')

describe.skipIf(missing.length > 0)(`what the systems are told${skipped}`, () => {
  test('Linux: its name, category, kinds of files and links', () => {
    const entries = desktopEntry.split('\n')
    expect(entries).toEqual(
      expect.arrayContaining([
        'Name=Galley',
        'Exec=/opt/Galley/galley %U',
        'Icon=galley',
        'StartupWMClass=galley',
        'Categories=Office;',
        'MimeType=text/markdown;text/x-markdown;text/plain;x-scheme-handler/galley;',
      ]),
    )
  })

  test('macOS: its identity, kinds of files and links, its icon, and the archive’s digest', () => {
    const contents = path.join(temporary, 'darwin/mac-arm64/Galley.app/Contents')
    const plist = readFileSync(path.join(contents, 'Info.plist'), 'utf8').replace(/>\s+</g, '><')
    const says = (key: string, value: string) => expect(plist).toContain(`<key>${key}</key>${value}`)
    says('CFBundleIdentifier', '<string>app.galley.desktop</string>')
    says('CFBundleExecutable', '<string>Galley</string>')
    says('LSApplicationCategoryType', '<string>public.app-category.productivity</string>')
    says('CFBundleURLSchemes', '<array><string>galley</string></array>')
    const documents = plist.split('<key>CFBundleTypeExtensions</key>').slice(1)
    expect(documents[0]).toMatch(
      /^<array><string>md<\/string><string>markdown<\/string><string>mdown<\/string>/,
    )
    expect(documents[0]).toContain('<string>Editor</string><key>LSHandlerRank</key><string>Default</string>')
    expect(documents[1]).toMatch(/^<array><string>txt<\/string><\/array>/)
    expect(documents[1]).toContain(
      '<string>Editor</string><key>LSHandlerRank</key><string>Alternate</string>',
    )
    says('CFBundleIconFile', '<string>icon.icns</string>')
    expect(readFileSync(path.join(contents, 'Resources/icon.icns'))).toEqual(
      readFileSync(iconPath('galley.icns')),
    )
    expect(plist).toContain(`<string>${digest(path.join(contents, 'Resources/app.asar'))}</string>`)
  })

  test('Windows: its name, its icon, and the archive’s digest', () => {
    const folder = path.join(temporary, 'win32/win-unpacked')
    const exe = NtExecutable.from(readFileSync(path.join(folder, 'Galley.exe')))
    const { entries } = NtExecutableResource.from(exe)
    const [version] = Resource.VersionInfo.fromEntries(entries)
    expect(version?.getStringValues(version.getAllLanguagesForStringValues()[0]!)).toMatchObject({
      ProductName: 'Galley',
      FileDescription: 'Galley',
    })
    const [icon] = Resource.IconGroupEntry.fromEntries(entries)
    expect(icon?.icons.map(({ width }) => width || 256)).toEqual(
      readIco(readFileSync(iconPath('galley.ico'))).map(({ size }) => size),
    )
    const integrity = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR')
    expect(JSON.parse(Buffer.from(integrity!.bin).toString())).toEqual([
      { file: 'resources\\app.asar', alg: 'SHA256', value: digest(path.join(folder, 'resources/app.asar')) },
    ])
  })

  test('a package that is published knows where its updates are', () => {
    expect(configure({}).publish).toBeNull()
    const config = configure({ GITHUB_REPOSITORY: 'owner/galley' })
    expect(config.publish).toEqual({ provider: 'github', owner: 'owner', repo: 'galley' })
    expect(config.extraMetadata).toMatchObject({ homepage: 'https://github.com/owner/galley' })
  })
})

test('sizes are added up by folder, the largest first', () => {
  const file = (name: string, size: number) => ({ path: name, size, unpacked: false })
  const files = [
    file('LICENSE', 1),
    file('out/server/a.mjs', 2),
    file('out/renderer/owner/b.js', 4),
    file('out/server/c.mjs', 3),
  ]
  expect(addUpFolders(files)).toEqual([
    ['out/server', 5],
    ['out/renderer', 4],
    ['LICENSE', 1],
  ])
})
