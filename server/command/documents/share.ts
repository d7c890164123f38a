import type { ShareLinkSummary } from '../../contract/records/share-links.ts'
import { CommandError, UsageError, type CommandDefinition, type Terminal } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { expiresHelp, expiryFrom } from '../expiry.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { galleyHelp, galleyOptions, isRefusal, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { docHelp, docWord, findDocument, onlyDoc } from './find.ts'
import { oneOf } from './one-of.ts'
import { minuteOf, onOneLine } from './shown.ts'

/** What a link lets its holders do, as people say it. */
const permissions = ['view', 'comment', 'suggest', 'edit'] as const

export const shareCreate: CommandDefinition = {
  name: 'share create',
  usage: 'DOC [--permission P] [--label L] [--expires WHEN] [--agents]',
  summary: 'Make a share link and print its address.',
  takes: docWord,
  options: {
    permission: { type: 'string' },
    label: { type: 'string' },
    expires: { type: 'string' },
    agents: { type: 'boolean' },
    ...galleyOptions,
  },
  help: [
    docHelp,
    ['--permission P', `${permissions.join(', ')} (view)`],
    ['--label L', 'what tells it from your other links; its holders don’t see it'],
    expiresHelp,
    ['--agents', 'agents may use it, too, as an MCP server: its address with /mcp behind it'],
    ...galleyHelp,
  ],
  choices: { permission: permissions },
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const body = {
        ...permissionOf(values['permission']),
        label: (values['label'] as string | undefined) ?? null,
        expires_at: typeof values['expires'] === 'string' ? expiryFrom(values['expires']) : null,
        ...(values['agents'] === true ? { allows_agents: true } : {}),
      }
      const params = { id: await findDocument(galley, positionals[0]!) }
      const link = await galley.call('createShareLink', { params, body })
      if (values['json'] === true) terminal.out(asJson(link))
      else tell(link, galley, terminal)
      return 0
    }),
}

/** A link’s address, and who can open it. */
function tell({ url, local_url }: ShareLinkSummary, galley: AskedGalley, terminal: Terminal): void {
  terminal.out(url ?? local_url)
  if (!galley.isRunning())
    terminal.error(
      'This address opens nothing until Galley runs: open the app, or start it by “galley serve”. From elsewhere it may be another one then.',
    )
  else if (url === null)
    terminal.error(
      'This address works on that machine alone: people elsewhere can’t open share links now. “galley tunnel status” tells why.',
    )
}

function permissionOf(said: unknown) {
  const permission = permissions.find((one) => one === (said ?? 'view'))
  if (!permission) throw new UsageError(`--permission is one of ${permissions.join(', ')}.`)
  return permission === 'suggest' ? { permission: 'edit' as const, suggest_only: true } : { permission }
}

export const shareList: CommandDefinition = {
  name: 'share list',
  usage: 'DOC',
  summary: 'List a document’s share links, the newest first.',
  ...onlyDoc,
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const params = { id: await findDocument(galley, positionals[0]!) }
      const links = await galley.call('listShareLinks', { params })
      if (values['json'] === true) terminal.out(asJson(links))
      else for (const link of links) terminal.out(lineOf(link))
      if (links.length === 0 && terminal.isRead) terminal.error('There are none.')
      return 0
    }),
}

function lineOf({
  id,
  permission,
  suggest_only,
  allows_agents,
  label,
  expires_at,
  url,
  local_url,
}: ShareLinkSummary): string {
  const allows = permission === 'edit' && suggest_only ? 'suggest' : permission
  const named = label === null ? '' : `  “${onOneLine(label)}”`
  const until = expires_at === null ? '' : `  until ${minuteOf(expires_at)}`
  const agents = allows_agents ? '  for agents, too' : ''
  return `${id}  ${allows}  ${url ?? local_url}${named}${until}${agents}`
}

export const shareRevoke: CommandDefinition = {
  name: 'share revoke',
  usage: 'DOC LINK',
  summary: 'End a share link. For a while “share restore” brings it back.',
  takes: { least: 2, most: 2, what: 'the document and the link' },
  options: galleyOptions,
  help: [docHelp, ['LINK', 'its id or the beginning of it, its label, or its address'], ...galleyHelp],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const id = await findDocument(galley, positionals[0]!)
      const links = await galley.call('listShareLinks', { params: { id } })
      const named = positionals[1]!
      const link =
        links.find(({ token }) => named.endsWith(`/share/${token}`)) ??
        oneOf('share link', links, named, ({ label }) => label === named)
      await galley.call('revokeShareLink', { params: { id }, query: { link_id: link.id } })
      if (values['json'] === true) terminal.out(asJson({ id: link.id, deleted: true }))
      else
        terminal.error(
          `The link is dead from now on. “galley share restore ${id} ${link.id}” brings it back for a while.`,
        )
      return 0
    }),
}

export const shareRestore: CommandDefinition = {
  name: 'share restore',
  usage: 'DOC LINK',
  summary: 'Bring back a share link that was just revoked.',
  takes: { least: 2, most: 2, what: 'the document and the link’s id' },
  options: galleyOptions,
  help: [docHelp, ['LINK', 'its id, as “share revoke” said it'], ...galleyHelp],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const id = await findDocument(galley, positionals[0]!)
      const params = { id, link_id: positionals[1]! }
      const link = await galley.call('restoreShareLink', { params }).catch((error: unknown) => {
        if (!isRefusal(error, 'NOT_FOUND')) throw error
        throw new CommandError(
          'There is no such link any more. “galley share create DOC” makes a new one.',
          exitCodes.notFound.code,
        )
      })
      if (values['json'] === true) terminal.out(asJson(link))
      else tell(link, galley, terminal)
      return 0
    }),
}
