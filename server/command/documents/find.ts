import type { TrashedHit } from '../../contract/records/trash.ts'
import type { SearchHit } from '../../contract/records/documents.ts'
import { limits } from '../../contract/limits.ts'
import { CommandError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { galleyHelp, galleyOptions } from '../galley/galley.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { onOneLine } from './shown.ts'

/** What a command takes that is about one document. */
export const docWord = {
  least: 1,
  most: 1,
  what: 'the document, by its id, the beginning of it, its title or its address',
}
export const docHelp: [string, string] = [
  'DOC',
  'its id or the beginning of it, its title, or its address in the app',
]

/** What a command about one document takes that has no options of its own. */
export const onlyDoc = { takes: docWord, options: galleyOptions, help: [docHelp, ...galleyHelp] }

interface Listed {
  limit?: number
  q?: string | undefined
}

/** All documents, or as many as are wanted, page by page. */
export const listAll = (galley: AskedGalley, wanted: Listed = {}): Promise<SearchHit[]> =>
  page(wanted, (query) => galley.call('listDocuments', { query }))

export const listAllTrashed = (galley: AskedGalley, wanted: Listed = {}): Promise<TrashedHit[]> =>
  page(wanted, (query) => galley.call('listTrash', { query }))

async function page<Hit>(
  { limit = Infinity, q }: Listed,
  ask: (query: { limit: number; offset: number; q: string | undefined }) => Promise<Hit[]>,
): Promise<Hit[]> {
  const all: Hit[] = []
  for (;;) {
    const wanted = Math.min(limits.pageSizeMax, limit - all.length)
    if (wanted <= 0) return all
    const hits = await ask({ limit: wanted, offset: all.length, q })
    all.push(...hits)
    if (hits.length < wanted) return all
  }
}

const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
const wholeId = new RegExp(`^${id.source}$`)
const address = new RegExp(`^https?://\\S+/documents/(${id.source})\\b`)
const beginning = /^[0-9a-f]{4,8}(-[0-9a-f-]*)?$/

/**
 * The id of the document that a person names. A whole id is taken as it is; whether there is one shows when it is used.
 * @throws CommandError if there is none, or more than one
 */
export async function findDocument(
  galley: AskedGalley,
  named: string,
  list: (galley: AskedGalley) => Promise<{ id: string; title: string }[]> = listAll,
  where?: 'in the trash',
): Promise<string> {
  const told = idIn(named)
  return wholeId.test(told) ? told : pickDocument(named, await list(galley), where)
}

const idIn = (named: string) => address.exec(named)?.[1] ?? named.toLowerCase()

/**
 * The id of the one of these documents that a person names.
 * @throws CommandError if there is none, or more than one
 */
export function pickDocument(
  named: string,
  all: readonly { id: string; title: string }[],
  where?: 'in the trash',
): string {
  const told = idIn(named)
  const whole = wholeId.test(told) && all.find(({ id }) => id === told)
  if (whole) return whole.id
  const byTitle = all.filter(({ title }) => title === named || onOneLine(title) === named)
  const found =
    byTitle.length > 0 || !beginning.test(told) ? byTitle : all.filter(({ id }) => id.startsWith(told))
  if (found.length === 1) return found[0]!.id
  if (found.length === 0)
    throw new CommandError(
      where
        ? `There is no document “${named}” in the trash. “galley doc list --trash” shows those there are.`
        : `There is no document “${named}”. “galley doc list” shows those there are, “galley doc list --trash” those in the trash.`,
      exitCodes.notFound.code,
    )
  const ids = found.slice(0, 5).map(({ id }) => id)
  const more = found.length > ids.length ? ' …' : ''
  throw new CommandError(
    `There are ${found.length} documents “${onOneLine(named)}”; name one by id: ${ids.join(', ')}${more}.`,
  )
}
