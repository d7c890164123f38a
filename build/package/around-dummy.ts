// Packs around a dummy Electron: what people would get can be looked at and run without fetching one.
import { Arch, build, Platform, type AfterPackContext } from 'electron-builder'
import path from 'node:path'
import { configure, root, type System } from './configuration.ts'
import { writeDummyElectron } from './dummy-electron.ts'

const platforms = { linux: Platform.LINUX, darwin: Platform.MAC, win32: Platform.WINDOWS }

interface PackOptions {
  processors?: Arch[]
  afterPack?: (context: AfterPackContext) => Promise<void>
}

/** Writes the folders that would be packed for a system into `folder`; the folder of its dummy. */
export async function packAroundDummy(
  system: System,
  folder: string,
  { processors = [Arch.x64, Arch.arm64], afterPack }: PackOptions = {},
): Promise<string> {
  const electron = path.join(folder, `electron-${system}`)
  writeDummyElectron(electron, system)
  const config = configure({ GALLEY_ELECTRON_DIST: electron })
  await build({
    projectDir: root,
    publish: 'never',
    config: {
      ...config,
      directories: { ...config.directories, output: path.join(folder, system) },
      // Nothing to sign with, wherever this runs.
      mac: { ...config.mac, identity: null },
      electronFuses: { ...config.electronFuses, resetAdHocDarwinSignature: false },
      ...(afterPack ? { afterPack } : {}),
    },
    targets: platforms[system].createTarget('dir', ...processors),
  })
  return electron
}
