import { expect, test } from 'vitest'
import { addUp, countCheck, countListed, countPlaywright, countVitest, inWords } from './results.mjs'

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
  const specs = [{ tests: [1, 2] }, { tests: [3] }]
  expect(countListed({ suites: [{ specs, suites: [{ specs }] }, { suites: [] }] })).toBe(6)
  expect(countListed(undefined)).toBe(0)
})

test('the summary names the skipped only when there are any', () => {
  expect(inWords(addUp([]))).toBe('0 passed, 0 failed')
  expect(inWords(addUp([countVitest(vitest, 0), countPlaywright(playwright, 0)]))).toBe(
    '8 passed, 0 failed, 3 skipped',
  )
})
