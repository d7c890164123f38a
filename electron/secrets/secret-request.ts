// How the server's process, which has no keychain, has the main process keep its secrets.
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import {
  SecretFailure,
  SecretName,
  secretReasons,
  SecretValue,
  type Secrets,
} from '../../server/contract/secrets.ts'

const exactly = { additionalProperties: false }

export const SecretRequest = Type.Union([
  Type.Object({ do: Type.Literal('find'), name: SecretName }, exactly),
  Type.Object({ do: Type.Literal('set'), name: SecretName, value: SecretValue }, exactly),
  Type.Object({ do: Type.Literal('remove'), name: SecretName }, exactly),
])
export type SecretRequest = Static<typeof SecretRequest>

export const SecretOutcome = Type.Union([
  Type.Object({ value: Type.Union([SecretValue, Type.Null()]) }, exactly),
  Type.Object({ reason: Type.Enum([...secretReasons]), message: Type.String() }, exactly),
])
export type SecretOutcome = Static<typeof SecretOutcome>

/** In the main process: does what is asked. Never rejects. */
export async function answerSecret(secrets: Secrets, request: SecretRequest): Promise<SecretOutcome> {
  try {
    if (!Check(SecretRequest, request)) throw new Error('Nothing of that kind is kept.')
    if (request.do === 'find') return { value: (await secrets.find(request.name)) ?? null }
    if (request.do === 'set') await secrets.set(request.name, request.value)
    else await secrets.remove(request.name)
    return { value: null }
  } catch (error) {
    const reason = error instanceof SecretFailure ? error.reason : 'unreadable'
    return { reason, message: (error as Error).message }
  }
}

/** In the server's process: secrets that are kept by whoever `ask` reaches, who answers through `hear`. */
export function askForSecrets(ask: (id: number, request: SecretRequest) => void) {
  let lastId = 0
  const waiting = new Map<number, (outcome: SecretOutcome) => void>()

  async function request(what: SecretRequest): Promise<string | undefined> {
    const id = ++lastId
    const outcome = await new Promise<SecretOutcome>((resolve) => {
      waiting.set(id, resolve)
      ask(id, what)
    })
    if ('reason' in outcome) throw new SecretFailure(outcome.reason, outcome.message)
    return outcome.value ?? undefined
  }

  return {
    find: (name) => request({ do: 'find', name }),
    async set(name, value) {
      await request({ do: 'set', name, value })
    },
    async remove(name) {
      await request({ do: 'remove', name })
    },
    hear(id: number, outcome: SecretOutcome) {
      waiting.get(id)?.(outcome)
      waiting.delete(id)
    },
  } satisfies Secrets & { hear: unknown }
}
