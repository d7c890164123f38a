// `npm test`: set-up, checks, unit and API tests, browser tests, from a fresh clone.
// `npm test -- check`, `npm test -- unit [vitest's options]` and `npm test -- e2e [playwright's options]` run one part.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findBrowserHere } from './browser.mjs'
import { runChild } from './child.mjs'
import { addUp, countCheck, countListed, countPlaywright, countVitest, inWords } from './results.mjs'
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
  GALLEY_E2E_RESULTS: path.join(reports, 'e2e.json'),
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
  async e2e(node, args) {
    if (!env.GALLEY_CHROMIUM) {
      spawnSync(node, [playwright, 'test', '--list', ...args], { cwd: root, env, stdio: 'ignore' })
      return { passed: 0, failed: Math.max(1, countListed(readReport('e2e.json'))), skipped: 0 }
    }
    const { code } = await runChild(node, [playwright, 'test', ...args], { cwd: root, env })
    return countPlaywright(readReport('e2e.json'), code)
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
  for (const { name, count } of counts) console.log(`${name}: ${inWords(count)}`)
  if (!env.GALLEY_CHROMIUM && chosen.includes('e2e'))
    console.log('The browser tests need a Chromium (see above).')
  if (stopped) console.log('Stopped before the end.')
  console.log(inWords(total))
  return total.failed > 0 || total.passed === 0 || stopped ? 1 : 0
})
