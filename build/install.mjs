// Installing the dependencies, for launchers that have nothing but Node and npm.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Whether `node_modules` is missing, was left unfinished, or is older than the lock file.
 * @param {string} root
 */
export function needsInstall(root) {
  // npm writes this file last, so its absence also means an install that was cut short.
  const installed = statSync(path.join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false })
  const locked = statSync(path.join(root, 'package-lock.json'))
  return !installed || installed.mtimeMs < locked.mtimeMs
}

/**
 * What went wrong, in words, from what npm printed.
 * @param {string} output
 * @returns {string}
 */
export function explainInstallFailure(output) {
  const known = /** @type {const} */ ([
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/,
      noNetwork,
    ],
    [/ENOSPC/, 'The disk is full. Free about 1 GB and try again.'],
    [/EACCES|EPERM|EROFS/, 'This folder, or npm’s cache (`npm config get cache`), may not be written to.'],
    [
      /EBUSY|ENOTEMPTY/,
      'Another program is using node_modules. Close editors and other copies of Galley first.',
    ],
    [
      /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|CERT_/,
      'The registry’s certificate is not trusted here (a company proxy?).',
    ],
    [/EINTEGRITY/, 'A package arrived damaged. Run `npm cache verify` and try again.'],
    [
      /EUSAGE|can only install packages when your package.json/,
      'package.json and package-lock.json disagree.',
    ],
    [/E404|ETARGET/, 'The registry npm is set to (`npm config get registry`) does not have a package.'],
  ])
  return known.find(([pattern]) => pattern.test(output))?.[1] ?? 'npm could not install what Galley needs.'
}

const noNetwork =
  'npm could not reach its registry. Check the network connection (or `npm config get registry` and proxies) and try again.'

/**
 * The npm that started this script, or the one on the path.
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
function findNpm() {
  const cli = process.env.npm_execpath
  if (cli && /npm-cli\.[cm]?js$/.test(cli) && existsSync(cli)) {
    const node = process.env.npm_node_execpath
    return { command: node && existsSync(node) ? node : process.execPath, args: [cli], shell: false }
  }
  // On Windows npm is a script, which only a shell can start.
  return { command: 'npm', args: [], shell: process.platform === 'win32' }
}

/**
 * Installs exactly what the lock file says. All progress goes to standard error.
 * @param {string} root
 * @param {string[]} [options] of npm
 * @returns {Promise<void>} rejects with an Error whose message says what to do
 */
export async function install(root, options = []) {
  const npm = findNpm()
  // `npm ci` deletes node_modules, and Windows won't delete the Node that is running this very script.
  const runsInside = process.execPath.startsWith(path.join(root, 'node_modules') + path.sep)
  const command = process.platform === 'win32' && runsInside ? ['install', '--no-save'] : ['ci']
  const child = spawn(
    npm.command,
    [
      ...npm.args,
      ...command,
      ...options,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retry-mintimeout=2000',
      '--fetch-retry-maxtimeout=8000',
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: npm.shell,
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
      process.stderr.write(chunk)
    })
  }
  /** @type {number | NodeJS.Signals} */
  const ended = await new Promise((resolve, reject) => {
    child.on('error', () => reject(new Error('npm was not found. It comes with Node: https://nodejs.org')))
    child.on('close', (code, signal) => resolve(signal ?? code ?? 1))
  })
  if (ended === 'SIGINT' || ended === 'SIGTERM')
    throw new Error('Installing was stopped. Start again to finish it.')
  if (ended !== 0) throw new Error(explainInstallFailure(output))
}
