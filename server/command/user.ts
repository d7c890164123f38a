import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { UserRow } from '../store/users.ts'
import { CommandError, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption, timeOf } from './json.ts'
import { nameFrom } from './name.ts'

export const userAdd: CommandDefinition = {
  name: 'user add',
  usage: 'NAME [--json]',
  summary: 'Add a user, who has documents of their own, and print their id.',
  takes: { least: 1, most: 1, what: 'the user’s name; one of several words goes in quotes' },
  options: jsonOption,
  help: [jsonHelp],
  knowsNoKey: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const name = nameFrom(positionals[0], 'NAME', limits.authorNameLength)
    const { withStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { addUser } = await import('../actions/users.ts')
    const user = await withStore(dataFolder, (store, folder) =>
      new CommandChannel(store, folder, 'cli:user').perform(store.users.owner(), addUser, {}, { name }),
    ).catch((error: unknown) => {
      // The name was in order; that it is taken is no wrong usage.
      if (error instanceof GalleyError && error.code === 'VALIDATION_ERROR')
        throw new CommandError(error.message)
      throw error
    })
    terminal.out(values['json'] === true ? asJson(describe(user)) : user.id)
    return 0
  },
}

export const userList: CommandDefinition = {
  name: 'user list',
  usage: '[--json]',
  summary: 'List the users there are; the first is the machine’s own.',
  options: jsonOption,
  help: [jsonHelp],
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    const { withPresentStore } = await import('./store.ts')
    const users = await withPresentStore(dataFolder, (store) => store.users.list())
    if (values['json'] === true) terminal.out(asJson(users.map(describe)))
    else for (const { id, name } of users) terminal.out(`${id}  ${name}`)
    return 0
  },
}

const describe = ({ id, name, created_at }: UserRow) => ({ id, name, created_at: timeOf(created_at) })
