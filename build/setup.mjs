// From a fresh clone to something that can be run.
import { statfsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { install, needsInstall } from './install.mjs'
import { findProjectNode, isAtLeast, oldestHostNode } from './project-node.mjs'
import { parts } from './parts.mjs'
import { findStale } from './stale.mjs'

export const root = path.resolve(import.meta.dirname, '..')

/** Says what is going on, on standard error so that a command's own output stays clean. @param {string} line */
export const say = (line) => void process.stderr.write(`${line}\n`)

/** An error whose message is all that its reader needs. */
export class SetupError extends Error {}

/**
 * Makes sure that the dependencies are installed.
 * @returns {Promise<string>} the Node to run Galley on
 */
export async function ensureInstalled() {
  if (!isAtLeast(process.version, oldestHostNode)) {
    throw new SetupError(
      `Node ${oldestHostNode} or later is needed to start Galley; this is ${process.version}.`,
    )
  }
  if (needsInstall(root)) {
    requireSpace(1200)
    say('Installing what Galley needs, which takes about a minute …')
    await install(root).catch((error) => {
      throw new SetupError(error.message)
    })
  }
  const node = findProjectNode(root)
  if ('problem' in node) throw new SetupError(node.problem)
  return node.path
}

/** @param {number} megabytes that are about to be written */
function requireSpace(megabytes) {
  const { bavail, bsize } = statfsSync(root)
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free < megabytes) {
    throw new SetupError(
      `Galley needs about ${megabytes} MB of free disk space to install; there are ${free} MB.`,
    )
  }
}

/**
 * Builds those of the named parts that are stale.
 * @param {string} node the project's Node
 * @param {string[]} names
 */
export function ensureBuilt(node, names) {
  const wanted = parts.filter((part) => names.includes(part.name))
  const stale = findStale(root, wanted)
  if (stale.length === 0) return
  const labels = new Intl.ListFormat('en').format(stale.map((part) => part.label))
  say(`Building ${labels}, which takes some seconds …`)
  const build = spawnSync(node, [path.join(root, 'build', 'build.ts'), ...stale.map((part) => part.name)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (build.status !== 0) {
    const output = `${build.stdout}${build.stderr}`
    throw new SetupError(
      `${process.stderr.isTTY ? output : stripVTControlCharacters(output)}\nThe build failed (see above).`,
    )
  }
}

/**
 * Runs a launcher's main function and turns its failure into one clear line.
 * @param {() => Promise<number>} main
 */
export async function launch(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say(error.message.trim())
    process.exitCode = 1
  }
}
