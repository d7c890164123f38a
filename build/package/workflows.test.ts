// The workflows on GitHub can't be run here; that they fit this project can be checked.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './configuration.ts'

interface Step {
  name?: string
  uses?: string
  run?: string
  env?: Record<string, unknown>
}

interface Job {
  'runs-on': string
  needs?: string
  permissions?: Record<string, string>
  strategy?: { matrix: { include?: Record<string, string>[]; node?: number[] } }
  steps: Step[]
}

interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const folder = path.join(root, '.github/workflows')
const read = (file: string) => parse(readFileSync(path.join(folder, file), 'utf8')) as Workflow
const stepsOf = (workflow: Workflow) => Object.values(workflow.jobs).flatMap((job) => job.steps)
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

describe.each(readdirSync(folder))('%s', (file) => {
  const workflow = read(file)

  test('calls only scripts that there are', () => {
    const called = stepsOf(workflow)
      .flatMap(({ run }) => [
        ...(run ?? '').matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(test|start)\b)/g),
      ])
      .map((match) => match[1] ?? match[2]!)
    expect(called.length).toBeGreaterThan(0)
    expect(called.filter((name) => !(name in scripts))).toEqual([])
  })

  const onLinux = test.skipIf(process.platform !== 'linux')
  // Only a release has packages.
  if (file === 'release.yml')
    onLinux.each([
      ['tells its version, makes a key and fails as it should', '1.2.3', 1, 0],
      ['says nothing', '', 1, 1],
      ['always succeeds', '1.2.3', 0, 1],
    ])('a package’s command that %s', (_what, version, failure, expected) => {
      const step = stepsOf(workflow).find(({ name }) => name === 'The command of the packages')!
      const place = mkdtempSync(path.join(tmpdir(), 'galley-command-'))
      const bin = path.join(place, 'dist/linux-unpacked/resources/bin')
      mkdirSync(bin, { recursive: true })
      writeFileSync(
        path.join(bin, 'galley'),
        `#!/bin/sh\ncase $1 in --version) echo '${version}' ;; key) echo gally_x ;; restore) exit ${failure} ;; esac\n`,
        { mode: 0o755 },
      )
      const script = step.run!.replace('${{ matrix.system }}', 'linux')
      const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
        cwd: place,
        env: { ...process.env, RUNNER_TEMP: place, GITHUB_REF_NAME: 'v1.2.3' },
      })
      expect(status).toBe(expected)
      rmSync(place, { recursive: true })
    })

  test.skipIf(process.platform !== 'linux')('writes checksums outside the folder that they sum', () => {
    const sums = Object.values(workflow.jobs).flatMap((job) =>
      job.steps.filter(({ run }) => run?.includes('sha256sum')),
    )
    expect(sums.length).toBe(file === 'release.yml' ? 1 : 0)
    for (const { run } of sums) {
      const place = mkdtempSync(path.join(tmpdir(), 'galley-sums-'))
      mkdirSync(path.join(place, 'packages'))
      writeFileSync(path.join(place, 'packages', 'a'), 'a')
      execFileSync('sh', ['-c', run!], { cwd: path.join(place, 'packages') })
      expect(readdirSync(place).sort()).toEqual(['SHA256SUMS', 'packages'])
      expect(readFileSync(path.join(place, 'SHA256SUMS'), 'utf8')).toMatch(/^[0-9a-f]{64} {2}a\n$/)
      rmSync(place, { recursive: true })
    }
  })

  test('uses only GitHub’s own actions, by major version', () => {
    const used = stepsOf(workflow).flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action))).toEqual([])
  })

  test('may only read, but for the job that drafts a release', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const writing = Object.entries(workflow.jobs).filter(([, job]) => job.permissions)
    expect(writing.map(([name]) => name)).toEqual(file === 'release.yml' ? ['draft'] : [])
  })

  test('puts nothing that others write into a shell, and secrets only into the environment of a step', () => {
    for (const { run } of stepsOf(workflow))
      expect(run ?? '').not.toMatch(/\$\{\{\s*(github|secrets|inputs)\b/)
  })
})

test('every push and pull request is tested on the oldest and the newest Node', () => {
  const workflow = read('check.yml')
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request'])
  expect(workflow.jobs.test!.strategy!.matrix.node).toEqual([20, 24])
  expect(stepsOf(workflow).map(({ run }) => run)).toEqual(expect.arrayContaining(['npm ci', 'npm test']))
})

test('a release is tested in the real Electron and packed on each system, then drafted', () => {
  const workflow = read('release.yml')
  const { packages, draft } = workflow.jobs
  expect(packages!.strategy!.matrix.include!.map(({ system }) => system)).toEqual(['linux', 'mac', 'win'])
  const tests = packages!.steps.find(({ run }) => run?.endsWith('npm test'))
  expect(tests?.env).toEqual({ GALLEY_REAL_ELECTRON: 1 })
  expect(packages!.steps.map(({ run }) => run)).toContain(
    'npm run package -- --${{ matrix.system }} --x64 --arm64',
  )
  expect(draft!.needs).toBe('packages')
  expect(draft!.steps.at(-1)!.run).toContain('--draft')
})
