// Which parts are out of date. Contents are compared, not times, so that switching branches and back rebuilds nothing.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./parts.mjs').Part} Part */

/**
 * @param {string} root
 * @param {string} source a file or folder
 * @returns {string[]} the files in it, relative to root, tests left out
 */
function listFiles(root, source) {
  const stats = statSync(path.join(root, source), { throwIfNoEntry: false })
  if (!stats) return []
  if (stats.isFile()) return [source]
  return readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !/\/testing\/|\.test\.[cm]?[jt]s$/.test(file))
}

/**
 * A digest of everything the part is made of.
 * @param {string} root
 * @param {Part} part
 */
export function fingerprint(root, part) {
  const files = [...new Set(part.sources.flatMap((source) => listFiles(root, source)))]
    .filter((file) => !part.except?.some((folder) => file.startsWith(`${folder}/`)))
    .sort()
  const digest = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(path.join(root, file))
    digest.update(`${file}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}

/**
 * @param {string} root
 * @param {Part} part
 */
const stampPath = (root, part) => path.join(root, 'out', '.built', `${part.name}.json`)

/**
 * Notes that the part was built from sources with this fingerprint, and what it left behind.
 * @param {string} root
 * @param {Part} part
 * @param {string} digest taken before the build, so that a change made meanwhile is built next time
 */
export function writeStamp(root, part, digest) {
  mkdirSync(path.dirname(stampPath(root, part)), { recursive: true })
  const files = listFiles(root, part.output)
  writeFileSync(stampPath(root, part), JSON.stringify({ fingerprint: digest, files }))
}

/**
 * Whether the part's sources differ from those it was last built from, or a built file has gone.
 * @param {string} root
 * @param {Part} part
 */
export function isStale(root, part) {
  /** @type {{ fingerprint: string, files: string[] }} */
  let stamp
  try {
    stamp = JSON.parse(readFileSync(stampPath(root, part), 'utf8'))
  } catch {
    return true
  }
  if (stamp.files.length === 0 || stamp.files.some((file) => !existsSync(path.join(root, file)))) return true
  return stamp.fingerprint !== fingerprint(root, part)
}

/**
 * Whether the part's sources are there at all.
 * @param {string} root
 * @param {Part} part
 */
export const hasSources = (root, part) => part.entries.every((entry) => existsSync(path.join(root, entry)))

/**
 * The parts that have to be built before they can be used.
 * @param {string} root
 * @param {Part[]} candidates
 */
export const findStale = (root, candidates) =>
  candidates.filter((part) => hasSources(root, part) && isStale(root, part))
