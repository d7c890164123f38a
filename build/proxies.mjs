// Caddy and nginx, for the tests of what the documentation says about them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { unpackWithApt } from './apt.mjs'
import { root } from './setup.mjs'

/** Where Debian's packages have each. */
const places = { caddy: 'usr/bin', nginx: 'usr/sbin' }

/**
 * Brings those that aren't there, if that can be done; tests that need one that is missing say that they are skipped.
 * @returns {string[]} the folders where they are, for PATH
 */
export const ensureProxies = () =>
  Object.entries(places).flatMap(([name, place]) => {
    if (spawnSync(name, ['-h'], { stdio: 'ignore' }).status === 0) return []
    const folder = path.join(root, 'out', 'programs', name)
    return existsSync(folder) || unpackWithApt(name, folder) ? [path.join(folder, place)] : []
  })
