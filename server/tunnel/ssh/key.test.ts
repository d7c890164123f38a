import { expect, it } from 'vitest'
import type { Secrets } from '../../contract/secrets.ts'
import { createKey, publicKeyOf } from './key.ts'

it('makes only keys that can be read again, and says their public half', async () => {
  let kept = ''
  const secrets: Secrets = {
    find: () => Promise.resolve(kept),
    set: (_name, value) => Promise.resolve(void (kept = value)),
    remove: () => Promise.resolve(),
  }
  // One of about 256 couldn't.
  for (let i = 0; i < 1_000; i++) {
    const said = await createKey(secrets)
    expect(await publicKeyOf(kept)).toBe(said)
  }
})
