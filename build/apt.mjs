// Bringing what tests need, where that can be done without asking: as root on Debian only.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'

export const canUseApt = () =>
  process.getuid?.() === 0 &&
  existsSync('/etc/os-release') &&
  /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/**
 * @param {string[]} args
 * @param {string} [cwd]
 */
const apt = (args, cwd) =>
  spawnSync('apt-get', ['-qq', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

/** @type {boolean | undefined} */
let updated
const update = () => (updated ??= apt(['update']))

/**
 * Installs packages of Debian's.
 * @param {string} what for the line that says so
 * @param {string[]} packages
 * @returns {boolean} whether they are there now
 */
export function installWithApt(what, packages) {
  if (!canUseApt()) return false
  process.stderr.write(`Installing ${what} with apt-get for the tests …\n`)
  return update() && apt(['install', '-y', '--no-install-recommends', ...packages])
}

/**
 * Unpacks a package of Debian's into a folder, for programs that Debian would start at once if they were installed.
 * The folder is there only if that went well.
 * @param {string} name
 * @param {string} folder
 * @returns {boolean} whether it is there now
 */
export function unpackWithApt(name, folder) {
  if (!canUseApt()) return false
  process.stderr.write(`Fetching ${name} with apt-get for the tests …\n`)
  const aside = `${folder}.part`
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  // apt’s own account may not write into a folder of ours.
  const fetched = update() && apt(['-o', 'APT::Sandbox::User=root', 'download', name], aside)
  const packages = fetched ? readdirSync(aside).filter((file) => file.endsWith('.deb')) : []
  const unpacked = packages.some(
    (file) =>
      spawnSync('dpkg', ['-x', file, 'root'], { cwd: aside, stdio: ['ignore', 'ignore', 'inherit'] })
        .status === 0,
  )
  if (unpacked) renameSync(path.join(aside, 'root'), folder)
  rmSync(aside, { recursive: true, force: true })
  return unpacked
}
