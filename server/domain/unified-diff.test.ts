import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { replacements } from './replacements.ts'
import { unifiedDiff } from './unified-diff.ts'

const names = { before: 'revision 1', after: 'revision 2' }
const diff = (before: string, after: string) => unifiedDiff(before, replacements(before, after), names)
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('')

test('nothing changed is nothing to say', () => {
  expect(diff('a\nb\n', 'a\nb\n')).toBe('')
})

test('a change stands in whole lines, with three around it', () => {
  const before = numbered(10)
  expect(diff(before, before.replace('line 5', 'Zeile 5'))).toBe(
    '--- revision 1\n+++ revision 2\n@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+Zeile 5\n line 6\n line 7\n line 8\n',
  )
})

test('a last line without an end says so', () => {
  expect(diff('a\nb', 'a\nb\n')).toBe(
    '--- revision 1\n+++ revision 2\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
  )
  expect(diff('', 'a\n')).toContain('@@ -0,0 +1,1 @@\n+a\n')
})

/** Made to the text as `patch` would. */
function patched(before: string, patch: string): string {
  const lines = before.split(/(?<=\n)/)
  const made: string[] = []
  let at = 0
  const parts = patch.split(/(?<=\n)/).slice(2)
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    const ends = parts[i + 1]?.startsWith('\\') !== true
    const text = ends ? part.slice(1) : part.slice(1, -1)
    if (part.startsWith('@@')) {
      const [, start, count, newStart, newCount] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/.exec(part)!.map(Number)
      const first = count === 0 ? start! : start! - 1
      made.push(...lines.slice(at, first))
      at = first
      expect(made.length).toBe(newCount === 0 ? newStart! : newStart! - 1)
    } else if (part.startsWith('+')) made.push(text)
    else if (!part.startsWith('\\')) {
      expect(lines[at]).toBe(text)
      if (part.startsWith(' ')) made.push(text)
      at++
    }
  }
  return [...made, ...lines.slice(at)].join('')
}

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\n', 'words of a line\n', '\r\n', ' '), { maxLength: 40 })
  .map((parts) => parts.join(''))

test('made to the text before, it gives the text after', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const patch = diff(before, after)
      expect(patch === '' ? before : patched(before, patch)).toBe(after)
    }),
    { numRuns: 500 },
  )
})

test('git takes it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-diff-'))
  try {
    const before = numbered(40)
    const after = before
      .replace('line 3\n', '')
      .replace('line 20', 'Zeile 20')
      .replace('line 40\n', 'line 40\nend')
    writeFileSync(path.join(folder, 'text'), before)
    const patch = unifiedDiff(before, replacements(before, after), { before: 'a/text', after: 'b/text' })
    execFileSync('git', ['apply', '-'], { cwd: folder, input: patch })
    expect(readFileSync(path.join(folder, 'text'), 'utf8')).toBe(after)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
