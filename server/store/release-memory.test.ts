import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const file = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

/** In a process of its own, whose memory it is about. */
const program = `
import Database from 'better-sqlite3'
import { memoryUsage } from 'node:process'
import { releaseMemory } from ${file('release-memory.ts')}
const collect = () => new Promise((resolve) => setTimeout(() => resolve(globalThis.gc()), 50))
const db = new Database(':memory:')
// Among what was freed something is in use.
let pieces = Array.from({ length: 200_000 }, () => Buffer.allocUnsafeSlow(500).fill(1))
pieces = pieces.filter((_, i) => i % 100 === 0)
await collect()
await collect()
const before = memoryUsage.rss()
releaseMemory(db)
const after = memoryUsage.rss()
console.log(JSON.stringify({ before, after, row: db.prepare('SELECT 1').pluck().get(), kept: pieces.length }))`

const isGlibc = () => {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime !== undefined
}

test('what was freed goes back to the system, and all goes on', () => {
  const told = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  const { before, after, ...rest } = JSON.parse(told) as Record<'before' | 'after' | 'row' | 'kept', number>
  expect(rest).toEqual({ row: 1, kept: 2_000 })
  // Elsewhere it must do no harm.
  if (isGlibc()) expect(before - after).toBeGreaterThan(40 * 1024 * 1024)
})
