import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { commands } from '../cli.ts'
import { runWith, testFolder } from '../testing/cli.ts'

/** What they print has a form of its own, which no program reads otherwise. */
const ownForm = ['mcp', 'completion', 'man']

test('every command that prints something prints it as JSON where that is asked for', async () => {
  const base = testFolder()
  const data = path.join(base, 'data')
  const at = (name: string) => path.join(base, name)
  writeFileSync(at('One.md'), '# One\n\nSome words.\n')
  const done = new Set<string>()
  const ask = async (name: string, ...args: string[]): Promise<unknown> => {
    done.add(name)
    const input = { input: 'Standard input.\n' }
    const { code, out, error } = await runWith(input, ...name.split(' '), ...args, '--json', '--data', data)
    expect([name, code, error]).toEqual([name, name === 'tunnel download' ? 1 : 0, ''])
    return JSON.parse(out)
  }

  const [one] = (await ask('import', at('One.md'))) as { id: string }[]
  const { id } = one!
  expect(await ask('export', at('out'))).toEqual([
    { id, title: 'One', file: at('out/One.md'), missing_files: [] },
  ])
  const known = { id, title: 'One', file: at('tracked/One.md') }
  expect(await ask('export', at('tracked'), '--track')).toEqual([
    { ...known, missing_files: [], became: 'new' },
  ])
  expect(await ask('export', at('tracked'), '--track')).toEqual([{ ...known, became: 'same' }])
  await ask('doc list')
  await ask('doc new', '-', '--title', 'Two')
  await ask('doc read', id)
  await ask('doc edit', id, '-')
  await ask('doc diff', id)
  await ask('doc versions', id)
  await ask('doc delete', id)
  await ask('doc restore', id)
  const link = (await ask('share create', id)) as { id: string }
  await ask('share list', id)
  await ask('share revoke', id, link.id)
  await ask('share restore', id, link.id)
  await ask('comment', id, '-')
  await ask('suggest', id, 'Standard', 'Other')
  await ask('review', id)
  await ask('events')
  const key = (await ask('key create', '--name', 'Agent')) as { id: string }
  await ask('key list')
  expect(await ask('key revoke', 'Agent')).toMatchObject({ id: key.id, name: 'Agent', deleted: true })
  await ask('user add', 'Ada')
  await ask('user list')
  expect(await ask('tunnel ssh-key')).toEqual({
    authorized_keys: expect.stringContaining('permitlisten') as string,
  })
  expect(await ask('tunnel download')).toMatchObject({ sha256: expect.any(String) as string, file: null })
  expect(await ask('tunnel program')).toEqual({ program: null })
  const file = at('all.db')
  expect(await ask('backup', file)).toEqual({
    ...{
      file,
      bytes: expect.any(Number) as number,
      files: 0,
      files_folder: at('galley-files'),
      missing_files: 0,
    },
  })
  expect(await ask('restore', file)).toEqual({
    ...{ file, documents: 2, kept: expect.any(String) as string },
    ...{ revived_links: 0, revived_keys: 0, missing_files: 0 },
  })
  await ask('check')
  await ask('files')
  await ask('version')

  const program = path.join(import.meta.dirname, '../cli.ts')
  const serving = ['serve', '--port', '0', '--share-port', '0', '--json', '--data', data]
  const child = spawn(process.execPath, [program, ...serving], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const { url, ...told } = JSON.parse(line) as { url: string }
    expect(told).toEqual({
      share_url: expect.stringMatching(/^http:/) as string,
      sign_in_url: expect.stringMatching(`^${url}/sign-in#`) as string,
      data,
    })
    done.add('serve')
    await ask('tunnel status')
    expect(await ask('sign-in')).toMatchObject({ url: expect.stringContaining(url) as string })
  } finally {
    child.kill()
    await once(child, 'close')
  }

  expect([...done, ...ownForm].sort()).toEqual(commands.map(({ name }) => name).sort())
})
