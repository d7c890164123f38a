// Packs for all systems around a dummy Electron, and looks at what people would get.
import { extractAll, getRawHeader } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import type { LinuxPackager } from 'electron-builder'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readIco } from '../icons/containers.ts'
import { iconPath } from '../icons/icons.ts'
import { packAroundDummy } from './around-dummy.ts'
import { addUpFolders, listAsar } from './asar.ts'
import { configure, root, type System } from './configuration.ts'

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

const isExpected = (file: string) =>
  ['package.json', 'LICENSE', 'out/renderer/licences.json'].includes(file) ||
  /^out\/electron\/([\w.-]+\/)*[\w.-]+\.(mjs|cjs|js|html|css|svg|png|json|txt)$/.test(file) ||
  /^out\/electron\/icons\/tray(Template)?(@2x)?\.(png|ico)$/.test(file) ||
  /^out\/server\/[\w.-]+\.mjs$/.test(file) ||
  /^out\/renderer\/(owner|share)\/([\w.-]+\/)*[\w.-]+\.(js|css|html|svg|json|woff2)(\.br|\.gz)?$/.test(
    file,
  ) ||
  /^node_modules\/better-sqlite3\/(package\.json|LICENSE|lib\/(methods\/)?[\w-]+\.js)$/.test(file)

describe.skipIf(missing.length > 0).each<System>(['linux', 'darwin', 'win32'])(
  `the package for %s${skipped}`,
  (system) => {
    const { folders, program, resources } = layouts[system]
    const at = (folder: string, ...names: string[]) => path.join(temporary, system, folder, ...names)
    const archiveIn = (folder: string) => at(folder, resources, 'app.asar')

    beforeAll(() => pack(system), 60_000)

    test.each(folders.map((folder, index) => [folder, index === 0 ? 'x64' : 'arm64']))(
      '%s holds the bundle, one binary of the database, and nothing else',
      (folder, processor) => {
        const files = listAsar(archiveIn(folder))
        const binary = `node_modules/better-sqlite3/prebuilds/${system}-${processor}.node`
        const paths = files.map((file) => file.path)
        expect(paths).toEqual(expect.arrayContaining([...bundles, 'package.json', 'LICENSE', binary]))
        expect(paths.filter((file) => file !== binary && !isExpected(file))).toEqual([])

        expect(files.filter((file) => file.unpacked).map((file) => file.path)).toEqual([binary])
        const unpacked = readdirSync(`${archiveIn(folder)}.unpacked`, {
          recursive: true,
          withFileTypes: true,
        })
        expect(unpacked.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual([
          path.basename(binary),
        ])
        expect(readFileSync(path.join(`${archiveIn(folder)}.unpacked`, binary))).toEqual(
          readFileSync(path.join(root, binary)),
        )
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
  test('serves documents without anything that was left out', { timeout: 60_000 }, async () => {
    const app = path.join(temporary, 'extracted')
    extractAll(path.join(temporary, here!, folderHere!, layouts[here!].resources, 'app.asar'), app)
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
