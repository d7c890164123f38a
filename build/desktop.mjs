// Whether a desktop window can be opened here, and with which program.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Whether there is a screen to open a window on. macOS and Windows always have one.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 */
export function hasDisplay(platform, env) {
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/**
 * The Electron program, where its package or ELECTRON_OVERRIDE_DIST_PATH says it is.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findElectron(root, env) {
  const folder = path.join(root, 'node_modules', 'electron')
  const pathFile = path.join(folder, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron'
  const program = path.join(env.ELECTRON_OVERRIDE_DIST_PATH || path.join(folder, 'dist'), name)
  return existsSync(program) ? program : undefined
}

/**
 * Fetches Electron's program, which npm leaves to be fetched when it is first needed.
 * @param {string} root
 * @param {string} node
 */
export function fetchElectron(root, node) {
  spawnSync(node, [path.join(root, 'node_modules', 'electron', 'install.js')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 10 * 60_000,
  })
}

/**
 * Electron's program, or the reason why no window can be opened here.
 * @param {{ display: boolean, isRoot: boolean, overridden: boolean, find: () => string | undefined, fetch: () => void }} machine
 * @returns {{ program: string } | { reason: string }}
 */
export function prepareDesktop({ display, isRoot, overridden, find, fetch }) {
  if (!display) return { reason: 'there is no display here' }
  // Chromium keeps its sandbox only for ordinary users, and Galley keeps the sandbox.
  if (isRoot && !overridden) return { reason: 'Electron does not open windows for the root user' }
  if (!find() && !overridden) fetch()
  const program = find()
  return program ? { program } : { reason: 'Electron’s program is not here and could not be fetched' }
}
