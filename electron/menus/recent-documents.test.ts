import { expect, test, vi } from 'vitest'
import { labelOf } from './recent-documents.ts'

vi.mock('electron', () => ({ app: {}, ipcMain: {} }))

test('a title is one short line in the menu, whatever is in it', () => {
  expect(labelOf('On proofs')).toBe('On proofs')
  expect(labelOf('Salt & Pepper')).toBe('Salt && Pepper')
  expect(labelOf('two\nlines\u202e')).toBe('two lines')
  expect(labelOf('  ')).toBe('No title')
  expect([...labelOf('😀'.repeat(100))]).toHaveLength(60)
})
