// Makes the packages; see `--help`. `npm run package` comes here with everything built.
import { Arch, build, Platform } from 'electron-builder'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { addUpFolders, listAsar } from './asar.ts'
import { configure, root, type System } from './configuration.ts'
import { layOutNgrok } from './ngrok.ts'

const usage = `npm run package [-- OPTIONS]

  --linux, --mac, --win   for these systems instead of this one
  --x64, --arm64          for these processors instead of both
  --dir                   only the folder that would be packed, by default for this processor

The packages are written to dist/. Electron itself, the tools that pack, and what ngrok's
library needs on other processors are fetched when they are first needed.
dmg can only be made on macOS.`

const platforms: Record<System, Platform> = {
  linux: Platform.LINUX,
  darwin: Platform.MAC,
  win32: Platform.WINDOWS,
}

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** The packages' sizes, and what makes up the archive of each unpacked folder. */
function report(output: string, artifacts: string[]) {
  for (const file of artifacts.filter((candidate) => existsSync(candidate)).sort()) {
    console.log(`${path.relative(root, file)}: ${inMegabytes(statSync(file).size)}`)
  }
  const archives = readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'app.asar')
    .sort()
  for (const archive of archives) {
    const files = listAsar(path.join(output, archive))
    const total = files.reduce((sum, { size }) => sum + size, 0)
    console.log(`${archive.split(path.sep)[0]}: ${files.length} files of Galley, ${inMegabytes(total)}`)
    for (const [folder, bytes] of addUpFolders(files))
      console.log(`  ${inMegabytes(bytes).padStart(9)}  ${folder}`)
  }
}

const { values: asked } = parseArgs({
  options: {
    linux: { type: 'boolean' },
    mac: { type: 'boolean' },
    win: { type: 'boolean' },
    x64: { type: 'boolean' },
    arm64: { type: 'boolean' },
    dir: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

if (asked.help) {
  console.log(usage)
} else {
  const systems: System[] = [
    ...(asked.linux ? (['linux'] as const) : []),
    ...(asked.mac ? (['darwin'] as const) : []),
    ...(asked.win ? (['win32'] as const) : []),
  ]
  const chosen = systems.length > 0 ? systems : [process.platform as System]
  const usual = asked.dir ? [process.arch === 'arm64' ? Arch.arm64 : Arch.x64] : [Arch.x64, Arch.arm64]
  const processors = [...(asked.x64 ? [Arch.x64] : []), ...(asked.arm64 ? [Arch.arm64] : [])]
  const wanted = processors.length > 0 ? processors : usual
  const targets = chosen.map((system) => platforms[system].createTarget(asked.dir ? 'dir' : null, ...wanted))
  for (const system of chosen)
    for (const processor of wanted) await layOutNgrok(system, processor === Arch.arm64 ? 'arm64' : 'x64')

  const config = configure()
  const output = path.resolve(root, config.directories!.output!)
  rmSync(output, { recursive: true, force: true })
  const artifacts = await build({
    projectDir: root,
    config,
    publish: 'never',
    targets: new Map(targets.flatMap((target) => [...target])),
  })
  report(output, artifacts)
}
