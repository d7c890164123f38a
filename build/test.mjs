// `npm test`: set-up, checks, unit and API tests, browser tests, from a fresh clone.
// `npm test -- check`, `npm test -- unit [vitest's options]` and `npm test -- e2e [playwright's options]` run one part,
// and so does `npm test -- packaged [playwright's options]`: desktop specs on what would be in a package.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
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
  listFlaky,
} from './results.mjs'
import { ensureBuilt, ensureInstalled, launch, root, say, SetupError } from './setup.mjs'

/** @typedef {import('./results.mjs').Count} Count */

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

/** @type {Record<string, (node: string, args: string[]) => Promise<Count>>} */
const runners = {
  async check(node) {
    const { code } = await runChild(node, [path.join(root, 'build', 'check.ts')], { cwd: root, env })
    return countCheck(readReport('check.json'), code)
  },
  async unit(node, args) {
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const report = `--outputFile.json=${path.join(reports, 'unit.json')}`
    const options = ['run', '--reporter=default', '--reporter=json', report, ...args]
    const { code } = await runChild(node, [vitest, ...options], { cwd: root, env })
    return countVitest(readReport('unit.json'), code)
  },
  e2e: (node, args) => runPlaywright(node, 'e2e', args),
  async packaged(node, args) {
    const folder = path.join(root, 'out', 'packaged', 'app')
    const { code } = await runChild(node, [path.join(root, 'build', 'package', 'lay-out.ts')], {
      cwd: root,
      env,
    })
    if (code !== 0) return { passed: 0, failed: 1, skipped: 0 }
    const specs = args.length > 0 ? args : ['desktop.spec']
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
  const chosen = part === undefined ? Object.keys(runners) : [part]
  const node = await ensureInstalled()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })

  let stopped = false
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => (stopped = true))

  /** @type {{ name: string, count: Count }[]} */
  const counts = []
  if (chosen.some((name) => name !== 'check')) {
    const browser = await findBrowserHere()
    if ('path' in browser) env.GALLEY_CHROMIUM = browser.path
    else say(browser.problem)
    const count = countBuild(node)
    if (count) counts.push({ name: 'build', count })
  }
  for (const name of chosen) {
    if (stopped) break
    const started = performance.now()
    console.log(`\n── ${name} ──`)
    const count = await runners[name]?.(node, args)
    if (count) counts.push({ name, count })
    console.log(`${name}: ${Math.round((performance.now() - started) / 1000)} s`)
  }

  const total = addUp(counts.map(({ count }) => count))
  console.log('')
  for (const name of ['e2e', 'packaged'])
    for (const test of listFlaky(readReport(`${name}.json`))) console.log(`flaky: ${test}`)
  for (const { name, count } of counts) console.log(`${name}: ${inWords(count)}`)
  if (!env.GALLEY_CHROMIUM && chosen.some((name) => ['e2e', 'packaged'].includes(name)))
    console.log('The browser tests need a Chromium (see above).')
  if (stopped) console.log('Stopped before the end.')
  console.log(inWords(total))
  return total.failed > 0 || total.passed === 0 || stopped ? 1 : 0
})
