// Galley runs on the Node that npm installs beside it; only these launchers have to run on the machine's own.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** The launchers in this folder run on this version and later. */
export const oldestHostNode = '20.19.0'

/** Galley itself is built for, and tested on, this version. */
export const oldestProjectNode = '24.0.0'

/**
 * Whether `version` is at least `oldest`, both as `1.2.3` or `v1.2.3`.
 * @param {string} version
 * @param {string} oldest
 */
export function isAtLeast(version, oldest) {
  const [have, want] = [version, oldest].map((text) => text.replace(/^v/, '').split('.').map(Number))
  for (let i = 0; i < 3; i++) {
    const difference = (have?.[i] ?? 0) - (want?.[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/**
 * The version a Node executable reports, or undefined when it can't run here.
 * @param {string} executable
 * @returns {string | undefined}
 */
export function nodeVersion(executable) {
  const result = spawnSync(executable, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return result.status === 0 ? result.stdout.trim() : undefined
}

/**
 * The Node to run Galley on: the one npm brought, else the machine's own when it is new enough.
 * The one npm brought is asked for its version because on some systems (musl, NixOS) it can't run.
 * @param {string} root
 * @param {{ versionOf?: (executable: string) => string | undefined, platform?: string, arch?: string,
 *           host?: { path: string, version: string } }} [machine]
 * @returns {{ path: string, version: string } | { problem: string }}
 */
export function findProjectNode(root, machine = {}) {
  const {
    versionOf = nodeVersion,
    platform = process.platform,
    arch = process.arch,
    host = { path: process.execPath, version: process.version },
  } = machine
  const system = platform === 'win32' ? 'win' : platform
  for (const name of [`node-${system}-${arch}`, `node-bin-${system}-${arch}`]) {
    const executable = platform === 'win32' ? 'node.exe' : 'node'
    const candidate = path.join(root, 'node_modules', name, 'bin', executable)
    const version = candidate === host.path ? host.version : versionOf(candidate)
    if (version && isAtLeast(version, oldestProjectNode)) return { path: candidate, version }
  }
  if (isAtLeast(host.version, oldestProjectNode)) return host
  return {
    problem:
      `Galley needs Node ${oldestProjectNode} or later. npm has none that runs on this system (${system} ${arch}), ` +
      `and the one here is ${host.version}. Please install Node 24 from https://nodejs.org and try again.`,
  }
}
