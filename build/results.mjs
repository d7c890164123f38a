// Adding up what the different runners report.
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = path.resolve(import.meta.dirname, '..')

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * A runner that failed without naming a failed test, or that ran none, counts as one failure.
 * @param {Count} count
 * @param {number} exitCode
 * @returns {Count}
 */
function settle(count, exitCode) {
  const nothingFailed = count.failed === 0
  const nothingRan = nothingFailed && count.passed === 0
  return nothingFailed && (exitCode !== 0 || nothingRan) ? { ...count, failed: 1 } : count
}

/**
 * @param {{ ok: boolean }[] | undefined} steps of `npm run check`
 * @param {number} exitCode
 */
export function countCheck(steps = [], exitCode) {
  const passed = steps.filter((step) => step.ok).length
  return settle({ passed, failed: steps.length - passed, skipped: 0 }, exitCode)
}

/**
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ name?: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {VitestFile[]} testResults
 */

/**
 * @param {VitestReport | undefined} report from Vitest's json reporter
 * @param {number} exitCode
 */
export function countVitest(report, exitCode) {
  if (!report) return settle({ passed: 0, failed: 0, skipped: 0 }, exitCode)
  // A file that can't even be loaded has no tests that could fail.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const count = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  return settle(count, exitCode)
}

/**
 * @typedef {{ title: string, file: string, line: number, tests: { status?: string }[] }} PlaywrightSpec
 * @typedef {{ title: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {object} PlaywrightReport
 * @property {PlaywrightSuite[]} suites
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {unknown[]} [errors] outside any test
 */

/**
 * @param {PlaywrightReport | undefined} report from Playwright's json reporter
 * @param {number} exitCode
 */
export function countPlaywright(report, exitCode) {
  if (!report) return settle({ passed: 0, failed: 0, skipped: 0 }, exitCode)
  const { expected, unexpected, flaky, skipped } = report.stats
  const failed = unexpected + (report.errors?.length ?? 0)
  return settle({ passed: expected + flaky, failed, skipped }, exitCode)
}

/**
 * The first line of what a failed test said. It names neither colours nor the lines after it.
 * @param {string | undefined} message
 */
const firstLine = (message = '') => stripVTControlCharacters(message).split('\n', 1)[0]?.trim() ?? ''

/**
 * The failed tests in a report of Vitest's, each with what it said first.
 * @param {VitestReport | undefined} report
 * @returns {string[]}
 */
export function listFailedUnits(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const name = file.name ? path.relative(root, file.name) : ''
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && file.status === 'failed') return [`${name}: ${firstLine(file.message)}`]
    return failed.map((test) => `${name} › ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
  })
}

/**
 * The browser tests that ended as `status` says, as Playwright names them: `flaky` ones passed only when they were
 * tried again.
 * @param {{ suites?: PlaywrightSuite[] } | undefined} report
 * @param {'flaky' | 'unexpected'} status
 * @returns {string[]}
 */
export function listSpecs(report, status) {
  /** @type {(suite: PlaywrightSuite, above: string[]) => string[]} */
  const inSuite = ({ specs = [], suites = [] }, above) => [
    ...specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, line, title }) => [`${file}:${line}`, ...above, title].join(' › ')),
    ...suites.flatMap((suite) => inSuite(suite, [...above, suite.title])),
  ]
  // The outermost suites are files.
  return (report?.suites ?? []).flatMap((suite) => inSuite(suite, []))
}

/**
 * How many tests there are in a report of `playwright test --list`.
 * @param {{ suites?: PlaywrightSuite[] } | undefined} report
 * @returns {number}
 */
export function countListed(report) {
  const inSuite = (/** @type {PlaywrightSuite} */ suite) =>
    (suite.specs ?? []).reduce((sum, spec) => sum + spec.tests.length, 0) + countListed(suite)
  return (report?.suites ?? []).reduce((sum, suite) => sum + inSuite(suite), 0)
}

/**
 * @param {Count[]} counts
 * @returns {Count}
 */
export const addUp = (counts) =>
  counts.reduce(
    (sum, count) => ({
      passed: sum.passed + count.passed,
      failed: sum.failed + count.failed,
      skipped: sum.skipped + count.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )

/**
 * `12 passed, 0 failed`, and what was skipped if anything was.
 * @param {Count} count
 */
export const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
