import { limits } from '../contract/limits.ts'
import type { ApiKey, KeyAccess } from '../contract/records/keys.ts'
import type { DataFolder } from '../data-folder.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { CommandError, counted, UsageError, type CommandDefinition, type CommandInput } from './command.ts'
import type { CommandChannel } from './channel.ts'
import { docHelp, pickDocument } from './documents/find.ts'
import { expiresHelp, expiryFrom } from './expiry.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { nameFrom } from './name.ts'

const accesses = ['read', 'comment', 'suggest', 'edit', 'manage', 'full'] as const satisfies KeyAccess[]

export const keyCreate: CommandDefinition = {
  name: 'key create',
  usage: '--name N [--user U] [--agent] [--access A] [--read] [--document DOC]… [--expires WHEN] [--json]',
  summary: 'Make an API key and print it; it is shown this once.',
  options: {
    name: { type: 'string' },
    user: { type: 'string' },
    agent: { type: 'boolean' },
    access: { type: 'string' },
    read: { type: 'boolean' },
    document: { type: 'string', multiple: true },
    expires: { type: 'string' },
    ...jsonOption,
  },
  help: [
    ['--name N', `what it is for, 1 to ${limits.keyNameLength} characters`],
    ['--user U', 'whose key, by name or id (the owner)'],
    ['--agent', 'an agent has it: what it writes is marked as that, and it may suggest unless you say more'],
    [
      '--access A',
      'what it allows: read, comment, suggest, edit, manage or full; each also what those before do',
    ],
    ['--read', 'the same as --access read'],
    ['--document DOC', `the only document it is for, by ${docHelp[1]}; may be given several times`],
    expiresHelp,
    jsonHelp,
  ],
  choices: { access: accesses },
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    if (values['name'] === undefined) throw new UsageError('Say with --name what the key is for.')
    const name = nameFrom(values['name'], '--name', limits.keyNameLength)
    const { getUser, withStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { createKey } = await import('../actions/keys.ts')
    const wanted = wantedKey(values)
    const { key, ...owned } = await withStore(dataFolder, async (store, folder) => {
      const user = getUser(store, values['user'])
      const channel = new CommandChannel(store, folder, 'cli:key')
      const chosen = await documentsOf(channel, user, values['document'])
      return { ...(await channel.perform(user, createKey, {}, { name, ...wanted, ...chosen })), user }
    })
    terminal.out(values['json'] === true ? asJson({ ...describe(owned), key }) : key)
    return 0
  },
}

/** What the options say of a new key; what they don’t, the action decides. */
function wantedKey({ agent, read, access, expires }: CommandInput['values']) {
  if (read === true && access !== undefined && access !== 'read')
    throw new UsageError(`Take either --read or --access ${String(access)}.`)
  const allows = read === true ? 'read' : access
  if (allows !== undefined && !isAccess(allows))
    throw new UsageError(`--access is one of ${accesses.join(', ')}.`)
  return {
    ...(agent === true ? { kind: 'agent' as const } : {}),
    ...(allows === undefined ? {} : { access: allows }),
    ...(typeof expires === 'string' ? { expires_at: expiryFrom(expires) } : {}),
  }
}

/** The ids of the documents that a key is to be for, if it is for some. */
async function documentsOf(
  channel: CommandChannel,
  user: UserRow,
  named: CommandInput['values'][string],
): Promise<{ documents?: string[] }> {
  if (!Array.isArray(named)) return {}
  const { listDocuments } = await import('../actions/documents.ts')
  const all: { id: string; title: string }[] = []
  for (;;) {
    const part = { limit: limits.pageSizeMax, offset: all.length, q: undefined }
    const found = await channel.perform(user, listDocuments, {}, part)
    all.push(...found)
    if (found.length < limits.pageSizeMax) break
  }
  return { documents: named.map((one) => pickDocument(one, all)) }
}

const isAccess = (word: unknown): word is KeyAccess => (accesses as readonly unknown[]).includes(word)

export const keyList: CommandDefinition = {
  name: 'key list',
  usage: '[--user U] [--json]',
  summary: 'List the API keys there are, never the keys themselves.',
  options: { user: { type: 'string' }, ...jsonOption },
  help: [['--user U', 'only keys of this user, by name or id'], jsonHelp],
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    const { getUser, withPresentStore } = await import('./store.ts')
    const keys = await withPresentStore(dataFolder, (store, folder) =>
      keysOf(
        store,
        folder,
        values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])],
      ),
    )
    if (values['json'] === true) terminal.out(asJson(keys.map(describe)))
    else
      for (const { id, prefix, name, kind, access, documents, user, expires_at, last_used_at } of keys) {
        const ends = expires_at === null ? '' : `, until ${expires_at}`
        const used = last_used_at === null ? 'never used' : `used ${last_used_at}`
        const what = `${kind === 'agent' ? 'agent, ' : ''}${access}`
        const only = documents === null ? '' : `, ${counted(documents.length, 'document')} only`
        terminal.out(`${id}  ${prefix}…  ${name} (${user.name}; ${what}${only}, ${used}${ends})`)
      }
    return 0
  },
}

export const keyRevoke: CommandDefinition = {
  name: 'key revoke',
  usage: 'KEY [--user U] [--json]',
  summary: 'Delete an API key; from then on it is refused.',
  takes: { least: 1, most: 1, what: 'the key, by its id, the beginning that “key list” shows, or its name' },
  options: { user: { type: 'string' }, ...jsonOption },
  help: [
    ['KEY', 'its id, the beginning that “key list” shows, or its name'],
    ['--user U', 'only among keys of this user, by name or id'],
    jsonHelp,
  ],
  knowsNoKey: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const wanted = positionals[0]!.replace(/…$/, '')
    const { getUser, withPresentStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { deleteKey } = await import('../actions/keys.ts')
    const revoked = await withPresentStore(dataFolder, async (store, folder) => {
      const users = values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])]
      const key = getKey(await keysOf(store, folder, users), wanted)
      await new CommandChannel(store, folder, 'cli:key').perform(
        key.user,
        deleteKey,
        { id: key.id },
        undefined,
      )
      return key
    })
    if (values['json'] === true) terminal.out(asJson({ ...describe(revoked), deleted: true }))
    else terminal.out(`Revoked ${revoked.prefix}… (${revoked.name}).`)
    return 0
  },
}

interface OwnedKey extends ApiKey {
  user: UserRow
}

async function keysOf(store: Store, folder: DataFolder, users: readonly UserRow[]): Promise<OwnedKey[]> {
  const { CommandChannel } = await import('./channel.ts')
  const { listKeys } = await import('../actions/keys.ts')
  const channel = new CommandChannel(store, folder, 'cli:key')
  const owned = users.map(async (user) => {
    const keys = await channel.perform(user, listKeys, {}, undefined)
    return keys.map((key) => ({ ...key, user }))
  })
  return (await Promise.all(owned)).flat()
}

function getKey(keys: readonly OwnedKey[], wanted: string): OwnedKey {
  const whole = /^gally_[0-9a-f]{32}$/.test(wanted) ? wanted.slice(0, 12) : wanted
  for (const test of [
    ({ id }: OwnedKey) => id === wanted,
    ({ prefix }: OwnedKey) => prefix === whole,
    ({ name }: OwnedKey) => name === wanted,
  ]) {
    const [found, ...others] = keys.filter(test)
    if (found && others.length === 0) return found
    if (found) {
      const ids = [found, ...others].map(({ id }) => id).join(', ')
      throw new CommandError(`There are ${others.length + 1} keys “${whole}”; name one by id: ${ids}.`)
    }
  }
  throw new CommandError(`There is no API key “${whole}”. “galley key list” shows those there are.`)
}

const describe = ({
  id,
  name,
  prefix,
  kind,
  access,
  documents,
  user,
  created_at,
  last_used_at,
  expires_at,
}: OwnedKey) => ({
  id,
  name,
  prefix,
  kind,
  access,
  documents,
  user: { id: user.id, name: user.name },
  created_at,
  last_used_at,
  expires_at,
})
