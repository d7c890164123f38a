import { Type, type Static } from 'typebox'

/** Everything that may be kept secret, by name. Nothing else is. */
const secretNames = ['ssh-key', 'ngrok-token', 'cloudflared-token'] as const
export const SecretName = Type.Enum([...secretNames])
export type SecretName = Static<typeof SecretName>

/** An SSH key of the longest usual kind has about 3 KB. */
export const SecretValue = Type.String({ minLength: 1, maxLength: 64 * 1024 })

export const secretReasons = ['no keychain', 'locked', 'unreadable', 'set elsewhere', 'not written'] as const
export type SecretReason = (typeof secretReasons)[number]

/** Why a secret can't be had or kept, in words for the person whose it is. Never holds the secret. */
export class SecretFailure extends Error {
  readonly reason: SecretReason

  constructor(reason: SecretReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'SecretFailure'
    this.reason = reason
  }
}

/** Keeps what lets Galley in elsewhere, apart from the documents: it is in no backup, export or log. */
export interface Secrets {
  /**
   * @returns undefined if none is kept
   * @throws SecretFailure
   */
  find(name: SecretName): Promise<string | undefined>
  /** Keeps the secret, durably, in the place of the one before. Throws a SecretFailure; nothing has changed then. */
  set(name: SecretName, value: string): Promise<void>
  /** Throws a SecretFailure if it is still there. */
  remove(name: SecretName): Promise<void>
}
