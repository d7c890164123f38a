// Installing what tests need, where that can be done without asking.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Installs packages of Debian's, as root on Debian only.
 * @param {string} what for the line that says so
 * @param {string[]} packages
 * @returns {boolean} whether they are there now
 */
export function installWithApt(what, packages) {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID=debian$/m.test(release) || process.getuid?.() !== 0) return false
  process.stderr.write(`Installing ${what} with apt-get for the tests …\n`)
  /** @param {string[]} args */
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages)
}
