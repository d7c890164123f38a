// A folder that electron-builder takes for an unpacked Electron, so that packaging can be tested without fetching one.
// Its programs do nothing, but have what packaging looks for: fuses, a list of properties, resources of an .exe.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import type { System } from './configuration.ts'

/** What comes before the fuses in Electron's programs. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** A wire of version 1, with the nine fuses as Electron ships them. */
const fuses = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, 9]), Buffer.from('101100011')])

const english = { lang: 0x409, codepage: 1200 }

/** A program of Windows with version information, into which packaging writes the icon and the archive's digest. */
function makeExe(): Buffer {
  const exe = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(exe)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues(english, { ProductName: 'Electron', FileDescription: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  const bin = new Uint8Array(fuses).buffer
  resources.entries.push({ type: 'FUSES', id: 1, bin, ...english })
  resources.outputResource(exe)
  return Buffer.from(exe.generate())
}

const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)']

const makePlist = (executable: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>CFBundleExecutable</key><string>${executable}</string>
  <key>CFBundleIdentifier</key><string>com.github.Electron</string>
  <key>CFBundleIconFile</key><string>electron.icns</string>
  <key>CFBundlePackageType</key><string>APPL</string>
</dict></plist>
`

function macFiles(): Record<string, string | Buffer> {
  const contents = 'Electron.app/Contents'
  return {
    [`${contents}/Info.plist`]: makePlist('Electron'),
    [`${contents}/MacOS/Electron`]: 'program',
    [`${contents}/Resources/electron.icns`]: 'icon',
    [`${contents}/Resources/default_app.asar`]: 'archive',
    [`${contents}/Frameworks/Electron Framework.framework/Electron Framework`]: fuses,
    ...Object.fromEntries(
      helpers.flatMap((suffix) => {
        const helper = `${contents}/Frameworks/Electron Helper${suffix}.app/Contents`
        return [
          [`${helper}/Info.plist`, makePlist(`Electron Helper${suffix}`)],
          [`${helper}/MacOS/Electron Helper${suffix}`, 'program'],
        ]
      }),
    ),
  }
}

const defaultApp = { 'resources/default_app.asar': 'archive' }

/** Writes the folder for a system. */
export function writeDummyElectron(folder: string, system: System) {
  const files: Record<System, () => Record<string, string | Buffer>> = {
    linux: () => ({
      electron: fuses,
      'chrome-sandbox': 'program',
      'locales/en-US.pak': 'words',
      ...defaultApp,
    }),
    win32: () => ({ 'electron.exe': makeExe(), 'locales/en-US.pak': 'words', ...defaultApp }),
    darwin: macFiles,
  }
  const all = { LICENSE: 'Electron’s licence', 'LICENSES.chromium.html': 'Chromium’s', ...files[system]() }
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(folder, name), content, { mode: 0o755 })
  }
}
