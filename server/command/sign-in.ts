import { limits } from '../contract/limits.ts'
import type { CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { getRunningServer } from './running.ts'

export const signIn: CommandDefinition = {
  name: 'sign-in',
  usage: '[--user U] [--json]',
  summary: 'Print a new one-time link that signs a browser in at the Galley that is running.',
  options: { user: { type: 'string' }, ...jsonOption },
  help: [['--user U', 'whom it signs in, by name or id (the owner)'], jsonHelp],
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    const { url, ownerUrl = url } = await getRunningServer(dataFolder)
    const { getUser, withPresentStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { createTicket } = await import('../actions/account.ts')
    const ticket = await withPresentStore(dataFolder, (store, folder) => {
      const user = getUser(store, values['user'])
      return new CommandChannel(store, folder, 'cli:sign-in').perform(user, createTicket, {}, undefined)
    })
    const link = `${ownerUrl}/sign-in#${ticket}`
    const minutes = limits.signInLinkMinutes
    terminal.out(values['json'] === true ? asJson({ url: link, valid_minutes: minutes }) : link)
    return 0
  },
}
