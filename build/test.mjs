// `npm test`: set-up, checks, unit and API tests, browser tests, from a fresh clone.
// `npm test -- check`, `npm test -- unit [vitest's options]` and `npm test -- e2e [playwright's options]` run one part,
// and so does `npm test -- packaged [playwright's options]`: desktop specs on what would be in a package.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findBrowserHere } from './browser.mjs'
import { runChild } from './child.mjs'
import {
  addUp,
  countCheck,
  countListed,
  countPlaywright,
  countVitest,
  inWords,
  listFailedUnits,
  listSpecs,
} from './results.mjs'
import { ensureEngines, headlessShell } from './engines.mjs'
import { ensureInterop } from './interop.mjs'
import { ensureProxies } from './proxies.mjs'
import { ensureBuilt, ensureInstalled, launch, root, say, SetupError } from './setup.mjs'
import { ensureSshd } from './sshd.mjs'

/** @typedef {import('./results.mjs').Count} Count */
/** @typedef {{ name: string, count: Count }} Counted of a part */

const reports = path.join(root, 'out', 'test')
const playwright = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js')

/**
 * @param {string} name of a report
 * @returns {any} undefined when its runner wrote none
 */
function readReport(name) {
  try {
    return JSON.parse(readFileSync(path.join(reports, name), 'utf8'))
  } catch {
    return undefined
  }
}

/** The environment of the tests, in which `node` is the project's. */
const env = {
  ...process.env,
  PATH: [path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  GALLEY_CHECK_RESULTS: path.join(reports, 'check.json'),
  // Where Node keeps what it compiled, and what it made of TypeScript: browser tests start the server, commands and the
  // desktop's fake some hundred times.
  NODE_COMPILE_CACHE: path.join(reports, 'compiled'),
}

/**
 * @param {string} node
 * @param {'e2e' | 'packaged'} name of the part, and of its report
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [more]
 */
async function runPlaywright(node, name, args, more = {}) {
  const report = `${name}.json`
  const options = { cwd: root, env: { ...env, GALLEY_E2E_RESULTS: path.join(reports, report), ...more } }
  if (!env.GALLEY_CHROMIUM) {
    spawnSync(node, [playwright, 'test', '--list', ...args], { ...options, stdio: 'ignore' })
    return { passed: 0, failed: Math.max(1, countListed(readReport(report))), skipped: 0 }
  }
  const { code } = await runChild(node, [playwright, 'test', ...args], options)
  return countPlaywright(readReport(report), code)
}

/** What runs in worker threads. */
const workers = [
  'server/http/word/word-worker.ts',
  'server/markdown/worker.ts',
  'server/store/cleaning-worker.ts',
  'server/store/search-worker.ts',
  'server/threads/text-worker.ts',
]

/**
 * Has Node keep what it makes of TypeScript. With it a worker starts in a third of the time, and needs no WebAssembly
 * for it: when many workers come and go, V8 now and then ends the process as it frees their WebAssembly code
 * ("Check failed: jit_page.has_value()"). The built workers are JavaScript.
 * @param {string} node
 */
function keepStripped(node) {
  // Outside a thread each only says so, and is kept by then.
  const loadAll = workers.map((file) => `await import('./${file}').catch(() => {})`).join('\n')
  spawnSync(node, ['--input-type=module', '--eval', loadAll], { cwd: root, env, stdio: 'ignore' })
}

/** @param {string} node @param {string[]} args */
async function runUnit(node, args) {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const report = `--outputFile.json=${path.join(reports, 'unit.json')}`
  const options = ['run', '--reporter=default', '--reporter=json', report, ...args]
  keepStripped(node)
  const { code } = await runChild(node, [vitest, ...options], { cwd: root, env })
  return countVitest(readReport('unit.json'), code)
}

/** @param {string} node @param {import('node:child_process').SpawnOptions} [options] */
async function runCheck(node, options) {
  const { code } = await runChild(node, [path.join(root, 'build', 'check.ts')], {
    cwd: root,
    env,
    ...options,
  })
  return countCheck(readReport('check.json'), code)
}

/**
 * Starts the checks with what the tests leave of the processor: those wait for pages and processes for a third of
 * their time. What the checks say is shown when they are waited for.
 * @param {string} node
 */
function startCheck(node) {
  const file = path.join(reports, 'check.log')
  const log = openSync(file, 'w')
  const result = runCheck(node, {
    env: { ...env, GALLEY_CHECK_BEHIND: '1' },
    stdio: ['ignore', log, log],
  })
  return async () => {
    const count = await result
    closeSync(log)
    console.log(readFileSync(file, 'utf8').trimEnd())
    return count
  }
}

/** What runs on a package's layout; in a run of all parts only there. */
const packagedSpecs = ['desktop.spec', 'desktop-command.spec']

/** @type {Record<string, (node: string, args: string[]) => Promise<Count>>} */
const runners = {
  check: (node) => runCheck(node),
  unit: runUnit,
  e2e: (node, args) => runPlaywright(node, 'e2e', args),
  async packaged(node, args) {
    const folder = path.join(root, 'out', 'packaged', 'app')
    const { code } = await runChild(node, [path.join(root, 'build', 'package', 'lay-out.ts')], {
      cwd: root,
      env,
    })
    if (code !== 0) return { passed: 0, failed: 1, skipped: 0 }
    const specs = args.length > 0 ? args : packagedSpecs
    return runPlaywright(node, 'packaged', specs, { GALLEY_APP_FOLDER: folder })
  },
}

/** Builds everything; undefined when that went well. @param {string} node @returns {Count | undefined} */
function countBuild(node) {
  try {
    ensureBuilt(node, ['owner', 'share', 'server', 'electron'])
    return undefined
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say(error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

await launch(async () => {
  const [part, ...args] = process.argv.slice(2)
  if (part !== undefined && !(part in runners)) {
    throw new SetupError(
      `There is no part “${part}”: npm test -- ${Object.keys(runners).join('|')} [OPTIONS]`,
    )
  }
  const node = await ensureInstalled()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })

  let stopped = false
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => (stopped = true))

  /** @type {Counted[]} */
  const counts = []
  // Before all that is fetched and built, which leaves a processor to it.
  const waitForCheck = part === undefined ? startCheck(node) : undefined
  if (part !== 'check') {
    const browser = await findBrowserHere()
    if ('path' in browser) env.GALLEY_CHROMIUM = browser.path
    else say(browser.problem)
    ensureSshd()
    if (part !== 'unit') ensureEngines()
    // Whoever names other tests needn’t wait for it.
    const isWanted = args.length === 0 || args.some((one) => one.includes('interop'))
    // It comes over the network while the rest is built.
    const interop = part === undefined || (part === 'unit' && isWanted) ? ensureInterop() : undefined
    // Whoever names a browser gets that one.
    if (!process.env.GALLEY_CHROMIUM && existsSync(headlessShell)) env.GALLEY_HEADLESS = headlessShell
    env.PATH = [env.PATH, ...ensureProxies()].join(path.delimiter)
    const count = countBuild(node)
    if (count) counts.push({ name: 'build', count })
    await interop
  }
  const timed = async (/** @type {string} */ name, /** @type {() => Promise<Count>} */ run) => {
    const started = performance.now()
    console.log(`\n── ${name} ──`)
    counts.push({ name, count: await run() })
    console.log(`${name}: ${Math.round((performance.now() - started) / 1000)} s`)
  }
  for (const [name, run] of Object.entries(runners)) {
    if (stopped || (part ?? name) !== name || (waitForCheck && name === 'check')) continue
    if (part === undefined && name === 'e2e') env.GALLEY_E2E_LATER = packagedSpecs.join('|')
    await timed(name, () => run(node, args))
    delete env.GALLEY_E2E_LATER
  }
  if (waitForCheck) await timed('check', waitForCheck)

  const total = addUp(counts.map(({ count }) => count))
  console.log('')
  // Once more at the end, where whoever gets only the last lines finds them.
  for (const test of listFailedUnits(readReport('unit.json'))) console.log(`failed: ${test}`)
  for (const name of ['e2e', 'packaged']) {
    const report = readReport(`${name}.json`)
    for (const test of listSpecs(report, 'unexpected')) console.log(`failed: ${test}`)
    for (const test of listSpecs(report, 'flaky')) console.log(`flaky: ${test}`)
  }
  for (const { name, count } of counts) console.log(`${name}: ${inWords(count)}`)
  if (!env.GALLEY_CHROMIUM && part !== 'check' && part !== 'unit')
    console.log('The browser tests need a Chromium (see above).')
  if (stopped) console.log('Stopped before the end.')
  console.log(inWords(total))
  return total.failed > 0 || total.passed === 0 || stopped ? 1 : 0
})
