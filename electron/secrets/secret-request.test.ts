import { expect, test } from 'vitest'
import { SecretFailure, type Secrets } from '../../server/contract/secrets.ts'
import { answerSecret, askForSecrets, type SecretRequest } from './secret-request.ts'

/** Secrets in the server's process, kept by `keeper` in the main one. */
function across(keeper: Secrets) {
  const asking = askForSecrets((id, request) => {
    // What is sent between processes is copied.
    void answerSecret(keeper, structuredClone(request)).then((outcome) =>
      asking.hear(id, structuredClone(outcome)),
    )
  })
  return asking
}

function keeper(): Secrets & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    find: async (name) => kept.get(name),
    set: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
  }
}

test('the server finds, keeps and removes secrets through the main process, each answer its own', async () => {
  const main = keeper()
  const secrets = across(main)
  await Promise.all([secrets.set('ssh-key', 'one'), secrets.set('ngrok-token', 'two')])
  expect(await Promise.all([secrets.find('ngrok-token'), secrets.find('ssh-key')])).toEqual(['two', 'one'])
  await secrets.remove('ssh-key')
  expect(await secrets.find('ssh-key')).toBeUndefined()
  expect([...main.kept]).toEqual([['ngrok-token', 'two']])
})

test('what the keychain refuses is told with its reason and its words', async () => {
  const refusing = {
    ...keeper(),
    set: () => Promise.reject(new SecretFailure('no keychain', 'There is none.')),
  }
  const refused = across(refusing).set('ssh-key', 'x')
  await expect(refused).rejects.toBeInstanceOf(SecretFailure)
  await expect(refused).rejects.toMatchObject({ reason: 'no keychain', message: 'There is none.' })
})

test.each([
  { do: 'find', name: 'cookie' },
  { do: 'find', name: '__proto__' },
  { do: 'list' },
  { do: 'set', name: 'ssh-key' },
  { do: 'set', name: 'ssh-key', value: '' },
  { do: 'set', name: 'ssh-key', value: 'x'.repeat(64 * 1024 + 1) },
  { do: 'set', name: 'ssh-key', value: 'x', more: 1 },
])('%j is refused and does nothing', async (request) => {
  const main = keeper()
  expect(await answerSecret(main, request as SecretRequest)).toMatchObject({
    message: 'Nothing of that kind is kept.',
  })
  expect(main.kept.size).toBe(0)
})
