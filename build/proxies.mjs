// Caddy and nginx, for the tests of what the documentation says about them.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { unpackWithApt } from './apt.mjs'
import { root } from './setup.mjs'

/** Where Debian's packages have each. */
const places = { caddy: 'usr/bin', nginx: 'usr/sbin' }

/** Looks without starting it: Caddy would make a folder in one’s home. @param {string} name */
const isOnPath = (name) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)))

/**
 * Brings those that aren't there, if that can be done; tests that need one that is missing say that they are skipped.
 * @returns {string[]} the folders where they are, for PATH
 */
export const ensureProxies = () =>
  Object.entries(places).flatMap(([name, place]) => {
    if (isOnPath(name)) return []
    const folder = path.join(root, 'out', 'programs', name)
    return existsSync(folder) || unpackWithApt(name, folder) ? [path.join(folder, place)] : []
  })
