import type { SecretName, Secrets } from '../contract/secrets.ts'
import type { TunnelChoice } from './settings.ts'
import { publicKeyOf } from './ssh/key.ts'

interface KeptChoice {
  now(): TunnelChoice
  keep(next: TunnelChoice): void
}

/**
 * Secrets of which the owner's choice keeps in mind which there are, whoever put them there, so that showing it never
 * asks a keychain.
 */
export function createNotedSecrets(kept: Secrets, choice: KeptChoice): Secrets {
  async function note(name: SecretName, value: string | undefined) {
    const isKey = name === 'ssh-key'
    const publicKey = isKey && value ? await publicKeyOf(value) : undefined
    // Nothing is waited for between reading the choice and keeping it: what the owner changes meanwhile would be undone.
    const before = choice.now()
    const others = before.secrets.filter((one) => one !== name)
    const isNew = value !== undefined && others.length === before.secrets.length
    choice.keep({
      ...before,
      secrets: isNew ? [...others, name] : value === undefined ? others : before.secrets,
      ...(isKey ? { sshPublicKey: publicKey ?? null } : {}),
    })
  }
  return {
    async find(name) {
      const value = await kept.find(name)
      if ((value !== undefined) !== choice.now().secrets.includes(name) || name === 'ssh-key')
        await note(name, value)
      return value
    },
    async set(name, value) {
      await kept.set(name, value)
      await note(name, value)
    },
    async remove(name) {
      await kept.remove(name)
      await note(name, undefined)
    },
  }
}
