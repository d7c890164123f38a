import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { migrationPage, migrationUpdate } from './migration-page.ts'

test('says how far it is, to those who see it and to those who ask the bar', () => {
  const page = migrationPage({ done: 1_200, of: 10_000 })
  expect(page).toContain('1,200 of 10,000 documents')
  expect(page).toContain('max="10000" value="1200"')
  expect(page).not.toContain('<script')
})

test('goes on without being loaded anew', () => {
  const bar = { value: 0 }
  const count = { textContent: '' }
  const document = { querySelector: () => bar, getElementById: () => count }
  runInNewContext(migrationUpdate({ done: 2_400, of: 10_000 }), { document })
  expect([bar.value, count.textContent]).toEqual([2_400, '2,400 of 10,000 documents'])
})
