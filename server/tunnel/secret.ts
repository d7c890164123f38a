import { SecretFailure, type SecretName, type Secrets } from '../contract/secrets.ts'
import { TunnelFailure } from './provider.ts'

/**
 * What a provider keeps secret; undefined if there is none.
 * @throws TunnelFailure if it can't be had. Not asked for again by itself: a keychain may ask the person each time.
 */
export async function findSecret(secrets: Secrets, name: SecretName): Promise<string | undefined> {
  try {
    return await secrets.find(name)
  } catch (error) {
    if (!(error instanceof SecretFailure)) throw error
    throw new TunnelFailure('not set up', error.message, { final: true, cause: error })
  }
}
