// Packs for this system around a dummy Electron, and lays out in a folder what the package's archive holds, so that the
// desktop specs can be run on what people would get. Prints the folder.
import { extractAll } from '@electron/asar'
import { Arch } from 'electron-builder'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { packAroundDummy } from './around-dummy.ts'
import { root, type System } from './configuration.ts'
import { layOutNgrok } from './ngrok.ts'

const folder = path.join(root, 'out', 'packaged')
rmSync(folder, { recursive: true, force: true })
const [system, processor] = [process.platform as System, process.arch === 'arm64' ? 'arm64' : 'x64'] as const
await layOutNgrok(system, processor)
await packAroundDummy(system, folder, { processors: [Arch[processor]] })
const archive = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
  (file) => path.basename(file) === 'app.asar',
)
if (!archive) throw new Error('the package has no archive')
const app = path.join(folder, 'app')
extractAll(path.join(folder, archive), app)
console.log(app)
