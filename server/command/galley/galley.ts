import { ApiError, type ApiErrorCode } from '../../contract/client-of.ts'
import { GalleyError } from '../../contract/errors.ts'
import { CommandError, UsageError, type CommandInput } from '../command.ts'
import { harmless } from '../documents/shown.ts'
import { keyGiven } from '../environment.ts'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import type { AskedGalley } from './asked-galley.ts'

/** The options of every command that speaks to a Galley. */
export const galleyOptions = { user: { type: 'string' }, json: { type: 'boolean' } } as const
export const galleyHelp: [string, string][] = [
  ['--user U', 'whose documents on this machine, by name or id (the owner)'],
  ['--json', 'print it as JSON, for programs'],
]

/**
 * Runs `work` with the Galley that is meant: the one at `GALLEY_URL`, with the key in `GALLEY_KEY`; the one that runs on
 * the data folder, where only a key is given; else the data folder itself. `--data` says that it is the data folder.
 */
export async function withGalley(
  { values, dataFolder }: Pick<CommandInput, 'values' | 'dataFolder'>,
  work: (galley: AskedGalley) => Promise<number>,
): Promise<number> {
  const key = keyGiven()
  const url = process.env['GALLEY_URL'] || undefined
  try {
    if (values['data'] !== undefined && key !== undefined)
      throw new UsageError(
        'Take either --data, which is this folder’s documents whatever a key allows, or GALLEY_KEY.',
      )
    if (values['data'] !== undefined || (key === undefined && url === undefined)) {
      const { withGalleyHere } = await import('./local.ts')
      return await withGalleyHere(dataFolder, values['user'], work)
    }
    if (values['user'] !== undefined)
      throw new UsageError('--user is for documents on this machine: whose they are elsewhere, the key says.')
    if (key === undefined)
      throw new CommandError(
        'GALLEY_URL is set, but GALLEY_KEY isn’t. Make a key there, under API keys or by “galley key create --name NAME”, and put it into GALLEY_KEY.',
        exitCodes.refused.code,
      )
    const { getRunningServer } = await import('../running.ts')
    const { galleyElsewhere } = await import('./remote.ts')
    const here = () => getRunningServer(dataFolder, exitCodes.unreachable.code)
    return await work(galleyElsewhere(url ?? (await here()).url, key))
  } catch (error) {
    throw explained(error)
  }
}

const codeOf = (error: unknown): ApiErrorCode | undefined =>
  error instanceof ApiError || error instanceof GalleyError ? error.code : undefined

/** Whether a call was refused with this code, here or elsewhere. */
export const isRefusal = (error: unknown, ...codes: ApiErrorCode[]) => {
  const code = codeOf(error)
  return code !== undefined && codes.includes(code)
}

/** A refusal as a command’s failure: what the API says, and what to do where it can’t know that. */
function explained(error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const message = harmless((error as Error).message)
  const exitCode = isAbsentPage(code, message) ? exitCodes.unreachable.code : exitCodeOf(code)
  return new CommandError(adviceFor(code, message), exitCode)
}

/** Every page that commands ask for is there on the owner’s listener. */
const isAbsentPage = (code: ApiErrorCode, message: string) =>
  code === 'METHOD_NOT_ALLOWED' || (code === 'NOT_FOUND' && message === 'Page not found')

function adviceFor(code: ApiErrorCode, message: string): string {
  const url = process.env['GALLEY_URL']
  switch (code) {
    case 'OFFLINE':
      return `No Galley answers${url ? ` at ${url}` : ''}. See that it runs there, and that GALLEY_URL is its address.`
    case 'BAD_ANSWER':
      return `What answers${url ? ` at ${url}` : ''} isn’t Galley. See that GALLEY_URL is the address of Galley itself, as https://galley.example.org.`
    case 'UNAUTHORIZED':
      return `The key in GALLEY_KEY isn’t good: it was revoked, has ended, or is another Galley’s${url ? `. Or ${url} is the address for share links, which takes no keys unless its owner lets it` : ''}.`
    case 'METHOD_NOT_ALLOWED':
    case 'NOT_FOUND':
      if (isAbsentPage(code, message))
        return `${url ?? 'This address'} isn’t the address of Galley itself, where its owner signs in: share links open there, or its path is wrong. Set GALLEY_URL to the owner’s.`
      return message === 'Document not found'
        ? 'There is no such document. “galley doc list” shows those there are, “galley doc list --trash” those in the trash.'
        : `${message}.`
    default:
      return message
  }
}
