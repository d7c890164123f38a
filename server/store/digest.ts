import { hash, randomBytes } from 'node:crypto'

/**
 * SHA-256 of a secret. Secrets here have 128 random bits or more, so a plain digest can't be guessed back, and
 * looking one up by its digest tells an attacker who measures time nothing about the secret.
 */
export const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** A secret of `bytes` random bytes from the operating system, in hexadecimal. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
