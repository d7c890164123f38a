import path from 'node:path'
import { expect, test } from 'vitest'
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

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }
const playwright = { suites: [], stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 1 }, errors: [] }

test('each step of the check counts as one test', () => {
  expect(countCheck([{ ok: true }, { ok: false }, { ok: true }], 1)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
  })
})

test('tests are counted as the runners report them', () => {
  expect(countVitest(vitest, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 })
  expect(countPlaywright(playwright, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 })
})

test('a test file that could not be loaded is a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(countVitest({ ...vitest, testResults }, 1)).toMatchObject({ passed: 5, failed: 1 })
})

test('an error outside any browser test is a failure', () => {
  expect(countPlaywright({ ...playwright, errors: [{ message: 'no such import' }] }, 1)).toMatchObject({
    failed: 1,
  })
})

test('a runner that reports nothing, or fails without saying why, is a failure', () => {
  const one = { passed: 0, failed: 1, skipped: 0 }
  expect([countCheck(undefined, 1), countVitest(undefined, 1), countPlaywright(undefined, 1)]).toEqual([
    one,
    one,
    one,
  ])
  expect(countVitest(vitest, 1)).toMatchObject({ passed: 5, failed: 1 })
})

test('a run in which nothing ran is a failure, even when its runner is content', () => {
  expect(countVitest({ ...vitest, numPassedTests: 0 }, 0)).toMatchObject({ failed: 1 })
})

test('listed browser tests are counted through nested suites', () => {
  const spec = { title: 'is', file: 'a.spec.ts', line: 1 }
  const specs = [
    { ...spec, tests: [{}, {}] },
    { ...spec, tests: [{}] },
  ]
  const title = 'a.spec.ts'
  expect(countListed({ suites: [{ title, specs, suites: [{ title, specs }] }, { title }] })).toBe(6)
  expect(countListed(undefined)).toBe(0)
})

test('a test that passed only at its second try counts as passed, and is named', () => {
  const stats = { expected: 3, unexpected: 0, flaky: 1, skipped: 0 }
  expect(countPlaywright({ suites: [], stats }, 0)).toEqual({ passed: 4, failed: 0, skipped: 0 })
  const file = 'files.spec.ts'
  const specs = [
    { title: 'steady', file, line: 3, tests: [{ status: 'expected' }] },
    { title: 'unsteady', file, line: 7, tests: [{ status: 'flaky' }] },
    { title: 'broken', file, line: 9, tests: [{ status: 'unexpected' }] },
  ]
  const report = { suites: [{ title: file, specs, suites: [{ title: 'a page', specs }] }] }
  expect(listSpecs(report, 'flaky')).toEqual([
    'files.spec.ts:7 › unsteady',
    'files.spec.ts:7 › a page › unsteady',
  ])
  expect(listSpecs(report, 'unexpected')).toEqual([
    'files.spec.ts:9 › broken',
    'files.spec.ts:9 › a page › broken',
  ])
  expect(listSpecs(undefined, 'flaky')).toEqual([])
})

test('failed unit tests, and files that could not be loaded, are named with what they said first', () => {
  const name = path.resolve(import.meta.dirname, 'files.test.ts')
  const failed = {
    status: 'failed',
    fullName: 'files open',
    failureMessages: ['\u001b[31mError: no\u001b[39m\n  at x'],
  }
  const testResults = [
    { name, status: 'failed', assertionResults: [{ status: 'passed', fullName: 'files close' }, failed] },
    { name, status: 'failed', message: 'SyntaxError: here\nthere', assertionResults: [] },
  ]
  expect(listFailedUnits({ ...vitest, testResults })).toEqual([
    'build/files.test.ts › files open: Error: no',
    'build/files.test.ts: SyntaxError: here',
  ])
  expect(listFailedUnits(undefined)).toEqual([])
})

test('the summary names the skipped only when there are any', () => {
  expect(inWords(addUp([]))).toBe('0 passed, 0 failed')
  expect(inWords(addUp([countVitest(vitest, 0), countPlaywright(playwright, 0)]))).toBe(
    '8 passed, 0 failed, 3 skipped',
  )
})
