import { limits } from '../contract/limits.ts'
import type { ApiKeyRow } from '../store/credentials.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { CommandError, UsageError, type Command } from './command.ts'
import { asJson, jsonHelp, jsonOption, timeOf } from './json.ts'
import { nameFrom } from './name.ts'

export const keyCreate: Command = {
  name: 'key create',
  usage: '--name N [--user U] [--read] [--json]',
  summary: 'Make an API key and print it; it is shown this once.',
  options: {
    name: { type: 'string' },
    user: { type: 'string' },
    read: { type: 'boolean' },
    ...jsonOption,
  },
  help: [
    ['--name N', `what it is for, 1 to ${limits.keyNameLength} characters`],
    ['--user U', 'whose key, by name or id (the owner)'],
    ['--read', 'it may read only'],
    jsonHelp,
  ],
  async run({ values, dataFolder, terminal }) {
    if (values['name'] === undefined) throw new UsageError('Say with --name what the key is for.')
    const name = nameFrom(values['name'], '--name', limits.keyNameLength)
    const { getUser, withStore } = await import('./store.ts')
    const { row, key, user } = await withStore(dataFolder, (store) => {
      const user = getUser(store, values['user'])
      const access = values['read'] === true ? 'read' : 'full'
      return { ...store.apiKeys.create(user.id, { name, access, expiresAt: null }), user }
    })
    terminal.out(values['json'] === true ? asJson({ ...describe({ row, user }), key }) : key)
    return 0
  },
}

export const keyList: Command = {
  name: 'key list',
  usage: '[--user U] [--json]',
  summary: 'List the API keys there are, never the keys themselves.',
  options: { user: { type: 'string' }, ...jsonOption },
  help: [['--user U', 'only keys of this user, by name or id'], jsonHelp],
  async run({ values, dataFolder, terminal }) {
    const { getUser, withPresentStore } = await import('./store.ts')
    const keys = await withPresentStore(dataFolder, (store) =>
      keysOf(store, values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])]),
    )
    if (values['json'] === true) terminal.out(asJson(keys.map(describe)))
    else
      for (const { row, user } of keys) {
        const ends = row.expires_at === null ? '' : `, until ${timeOf(row.expires_at)}`
        const used = row.last_used_at === null ? 'never used' : `used ${timeOf(row.last_used_at)}`
        terminal.out(`${row.id}  ${row.prefix}…  ${row.name} (${user.name}; ${row.access}, ${used}${ends})`)
      }
    return 0
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'KEY [--user U]',
  summary: 'Delete an API key; from then on it is refused.',
  takes: { least: 1, most: 1, what: 'the key, by its id, the beginning that “key list” shows, or its name' },
  options: { user: { type: 'string' } },
  help: [
    ['KEY', 'its id, the beginning that “key list” shows, or its name'],
    ['--user U', 'only among keys of this user, by name or id'],
  ],
  async run({ values, positionals, dataFolder, terminal }) {
    const wanted = positionals[0]!.replace(/…$/, '')
    const { getUser, withPresentStore } = await import('./store.ts')
    const { row } = await withPresentStore(dataFolder, (store) =>
      store.transaction(() => {
        const users = values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])]
        const key = getKey(keysOf(store, users), wanted)
        store.apiKeys.delete(key.row.id, key.user.id)
        return key
      }),
    )
    terminal.out(`Revoked ${row.prefix}… (${row.name}).`)
    return 0
  },
}

interface OwnedKey {
  row: ApiKeyRow
  user: UserRow
}

const keysOf = (store: Store, users: readonly UserRow[]): OwnedKey[] =>
  users.flatMap((user) => store.apiKeys.list(user.id).map((row) => ({ row, user })))

function getKey(keys: readonly OwnedKey[], wanted: string): OwnedKey {
  const whole = /^gally_[0-9a-f]{32}$/.test(wanted) ? wanted.slice(0, 12) : wanted
  for (const test of [
    ({ row }: OwnedKey) => row.id === wanted,
    ({ row }: OwnedKey) => row.prefix === whole,
    ({ row }: OwnedKey) => row.name === wanted,
  ]) {
    const [found, ...others] = keys.filter(test)
    if (found && others.length === 0) return found
    if (found) {
      const ids = [found, ...others].map(({ row }) => row.id).join(', ')
      throw new CommandError(`There are ${others.length + 1} keys “${whole}”; name one by id: ${ids}.`)
    }
  }
  throw new CommandError(`There is no API key “${whole}”. “galley key list” shows those there are.`)
}

const describe = ({ row, user }: OwnedKey) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  access: row.access,
  user: { id: user.id, name: user.name },
  created_at: timeOf(row.created_at),
  last_used_at: timeOf(row.last_used_at),
  expires_at: timeOf(row.expires_at),
})
