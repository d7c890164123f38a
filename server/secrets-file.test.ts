import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSecretsFile, variableOf } from './secrets-file.ts'
import { run, testFolder } from './testing/cli.ts'

const newFile = () => path.join(testFolder(), 'secrets.json')
const onPosix = test.skipIf(process.platform === 'win32')

test('what is set is found after a new start, and gone when it is removed', async () => {
  const file = newFile()
  const secrets = openSecretsFile(file, {})
  expect(await secrets.find('ssh-key')).toBeUndefined()
  await Promise.all([secrets.set('ssh-key', 'one'), secrets.set('ngrok-token', 'two')])
  const again = openSecretsFile(file, {})
  expect([await again.find('ssh-key'), await again.find('ngrok-token')]).toEqual(['one', 'two'])
  await again.remove('ssh-key')
  expect(await secrets.find('ssh-key')).toBeUndefined()
  expect(await secrets.find('ngrok-token')).toBe('two')
})

onPosix('only its own account may read the file, whoever made it', async () => {
  const file = newFile()
  writeFileSync(file, '{"ssh-key": "by hand"}')
  chmodSync(file, 0o644)
  const secrets = openSecretsFile(file, {})
  expect(await secrets.find('ssh-key')).toBe('by hand')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await secrets.set('ssh-key', 'new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('the environment goes before the file, and says so to who would change it', async () => {
  const file = newFile()
  await openSecretsFile(file, {}).set('ngrok-token', 'of the file')
  const secrets = openSecretsFile(file, { GALLEY_NGROK_TOKEN: 'given', GALLEY_SSH_KEY: '' })
  expect(await secrets.find('ngrok-token')).toBe('given')
  expect(await secrets.find('ssh-key')).toBeUndefined()
  for (const change of [secrets.set('ngrok-token', 'x'), secrets.remove('ngrok-token')]) {
    await expect(change).rejects.toMatchObject({ reason: 'set elsewhere' })
    await expect(change).rejects.toThrow('GALLEY_NGROK_TOKEN')
  }
  expect(await openSecretsFile(file, {}).find('ngrok-token')).toBe('of the file')
  expect(variableOf('cloudflared-token')).toBe('GALLEY_CLOUDFLARED_TOKEN')
})

test.each(['{', '[]', '"x"', '{"ssh-key": 5}', '{"ssh-key": ""}'])(
  'a file that can’t be read (%s) is said and left as it is',
  async (damaged) => {
    const file = newFile()
    writeFileSync(file, damaged)
    const found = openSecretsFile(file, {}).find('ssh-key')
    await expect(found).rejects.toMatchObject({ reason: 'unreadable' })
    await expect(found).rejects.toThrow(file)
    expect(readFileSync(file, 'utf8')).toBe(damaged)
  },
)

test('nothing is written over a damaged file', async () => {
  const file = newFile()
  writeFileSync(file, '{"ngrok-token": "precious", ')
  await expect(openSecretsFile(file, {}).set('ssh-key', 'x')).rejects.toMatchObject({ reason: 'unreadable' })
  expect(readFileSync(file, 'utf8')).toContain('precious')
})

test('a file that can’t be written is said, and what was kept stays', async () => {
  const file = newFile()
  const secrets = openSecretsFile(file, {})
  await secrets.set('ssh-key', 'before')
  const away = `${path.dirname(file)}-away`
  renameSync(path.dirname(file), away)
  await expect(secrets.set('ssh-key', 'after')).rejects.toMatchObject({ reason: 'not written' })
  renameSync(away, path.dirname(file))
  expect(await secrets.find('ssh-key')).toBe('before')
})

test('no backup and no export holds a secret, and a restore leaves it where it is', async () => {
  const base = testFolder()
  const data = path.join(base, 'data')
  const note = path.join(base, 'note.md')
  writeFileSync(note, 'words')
  const at = async (...args: string[]) =>
    expect(await run(...args, '--data', data)).toMatchObject({ code: 0, error: '' })
  await at('import', note)
  const file = path.join(data, 'secrets.json')
  await openSecretsFile(file, {}).set('ssh-key', 'SECRET-5up3r')
  const out = path.join(base, 'out')
  mkdirSync(out)
  await at('backup', path.join(out, 'backup.db'))
  await at('export', path.join(out, 'documents'))
  await at('restore', path.join(out, 'backup.db'))
  for (const folder of [out, path.join(data, 'backups')]) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files.length).toBeGreaterThan(0)
    for (const { parentPath, name } of files)
      expect(readFileSync(path.join(parentPath, name)).includes('SECRET-5up3r')).toBe(false)
  }
  expect(await openSecretsFile(file, {}).find('ssh-key')).toBe('SECRET-5up3r')
})
