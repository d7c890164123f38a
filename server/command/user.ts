import { limits } from '../contract/limits.ts'
import { CommandError, type Command } from './command.ts'
import { nameFrom } from './name.ts'

export const userAdd: Command = {
  name: 'user add',
  usage: 'NAME',
  summary: 'Add a user, who has documents of their own, and print their id.',
  takes: { least: 1, most: 1, what: 'the user’s name; one of several words goes in quotes' },
  options: {},
  help: [],
  async run({ positionals, dataFolder, terminal }) {
    const name = nameFrom(positionals[0], 'NAME', limits.authorNameLength)
    const { withStore } = await import('./store.ts')
    const user = await withStore(dataFolder, (store) =>
      store.transaction(() => {
        const [other] = store.users.listByName(name)
        if (other) throw new CommandError(`There is a user called “${name}” already (${other.id}).`)
        return store.users.create(name)
      }),
    )
    terminal.out(user.id)
    return 0
  },
}
