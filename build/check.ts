// `npm run check`: format, lint, types, import rules and the API's description, as many at once as there are cores.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const tool = (file: string) => path.join(root, 'node_modules', file)
/**
 * What was checked before and hasn't changed isn't checked again. Lint forgets by it that a file's types may have
 * changed elsewhere; where a change is accepted nothing is remembered.
 */
const cache = (name: string) =>
  process.env.CI ? [] : ['--cache', '--cache-strategy', 'content', '--cache-location', cacheOf(name)]
const cacheOf = (name: string) => path.join(root, 'node_modules', '.cache', name, 'results')

interface Step {
  name: string
  args: string[]
  /** What to do about a failure. */
  hint?: string
}

interface Result {
  name: string
  ok: boolean
  seconds: number
  output: string
}

/** The longest first, so that the cores are done at the same time. */
const steps: Step[] = [
  {
    name: 'lint',
    args: [tool('eslint/bin/eslint.js'), '.', '--max-warnings=0', ...cache('eslint')],
    hint: 'npx eslint --fix . mends some',
  },
  {
    // Of everything, not only of components.
    name: 'types',
    args: [
      tool('svelte-check/bin/svelte-check'),
      ...['--tsconfig', 'tsconfig.json', '--fail-on-warnings', '--incremental'],
    ],
  },
  {
    name: 'format',
    args: [tool('prettier/bin/prettier.cjs'), '--check', '.', '--log-level', 'warn', ...cache('prettier')],
    hint: 'npm run format',
  },
  { name: 'imports', args: ['build/import-rules.ts'] },
  {
    name: 'licences',
    args: ['build/licences-check.ts'],
    hint: 'what is allowed stands in build/licences.ts',
  },
  { name: 'openapi', args: ['build/openapi-lint.ts'] },
]

function run(step: Step): Promise<Result> {
  const started = performance.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, step.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000
      const result = { name: step.name, ok: code === 0, seconds, output: output.trim() }
      console.log(`  ${result.ok ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)`)
      resolve(result)
    })
  })
}

// Beside tests, which must not be made to wait.
if (process.env.GALLEY_CHECK_BEHIND) os.setPriority(os.constants.priority.PRIORITY_LOW)

const waiting = [...steps]
const results: Result[] = []
const runners = Array.from({ length: Math.max(2, os.availableParallelism()) }, async () => {
  for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await run(step))
})
await Promise.all(runners)

const failed = results.filter((result) => !result.ok)
for (const { name, output } of failed) {
  const hint = steps.find((step) => step.name === name)?.hint
  console.error(`\n── ${name} ──\n${output}${hint ? `\n→ ${hint}` : ''}`)
}
const resultsFile = process.env.GALLEY_CHECK_RESULTS
if (resultsFile) {
  mkdirSync(path.dirname(resultsFile), { recursive: true })
  writeFileSync(resultsFile, JSON.stringify(results.map(({ name, ok }) => ({ name, ok }))))
}
process.exitCode = failed.length > 0 ? 1 : 0
