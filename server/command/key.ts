import { limits } from '../contract/limits.ts'
import { nameFrom } from './name.ts'
import { UsageError, type Command } from './command.ts'

export const keyCreate: Command = {
  name: 'key create',
  usage: '--name N [--user U] [--read]',
  summary: 'Make an API key and print it; it is shown this once.',
  options: { name: { type: 'string' }, user: { type: 'string' }, read: { type: 'boolean' } },
  help: [
    ['--name N', `what it is for, 1 to ${limits.keyNameLength} characters`],
    ['--user U', 'whose key, by name or id (the owner)'],
    ['--read', 'it may read only'],
  ],
  async run({ values, dataFolder, terminal }) {
    if (values['name'] === undefined) throw new UsageError('Say with --name what the key is for.')
    const name = nameFrom(values['name'], '--name', limits.keyNameLength)
    const { getUser, withStore } = await import('./store.ts')
    const key = await withStore(dataFolder, (store) => {
      const user = getUser(store, values['user'])
      const access = values['read'] === true ? 'read' : 'full'
      return store.apiKeys.create(user.id, { name, access, expiresAt: null }).key
    })
    terminal.out(key)
    return 0
  },
}
