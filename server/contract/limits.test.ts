import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { limits } from './limits.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const MiB = 1024 * 1024

const figure = /\d[\d,]* (?:days|hours|minutes|seconds|KiB|MiB|characters|documents|links|times)\b/g

/** Every figure of the documentation that looks like a limit, with the limit that it is. */
const documented: Record<string, string[]> = {
  'README.md': [
    `in the trash for ${limits.trashDaysAtFirst} days`,
    `no document has used for ${limits.unusedFileDays} days`,
    `it works once, for ${limits.signInLinkMinutes} minutes`,
    `events are kept for ${limits.eventDays} days`,
    `each works once, for ${limits.signInLinkMinutes} minutes`,
  ],
  'docs/people-elsewhere.md': [`Documents may be ${limits.contentBytes / MiB} MiB`],
  'docs/desktop-security.md': [],
}

test.each(Object.entries(documented))('%s names the limits that are kept, and no others', (file, said) => {
  const text = read(file).replace(/\s+/g, ' ')
  for (const one of said) expect(text).toContain(one)
  expect(text.match(figure) ?? []).toHaveLength(said.length)
})

const described = globSync(
  'server/{contract/records,contract/errors,contract/routes/*,http/openapi,http/openapi-introduction}.ts',
  {
    cwd: root,
  },
)

test.each(described)('%s writes no limit by hand', (file) => {
  const byHand = read(file).match(figure)
  expect(byHand).toBeNull()
})

test('the proxy of the documentation lets the longest body through', () => {
  const allowed = Number(/client_max_body_size (\d+)m/.exec(read('docs/people-elsewhere.md'))?.[1]) * MiB
  expect(allowed).toBeGreaterThanOrEqual(limits.documentBodyBytes)
})
