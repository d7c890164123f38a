import type { Asker } from '../actions/asker.ts'
import type { McpContext } from '../mcp/agent-client.ts'
import { keyGiven } from './environment.ts'
import { CommandError, type CommandDefinition } from './command.ts'
import { exitCodes } from './exit-codes.ts'

export const mcp: CommandDefinition = {
  name: 'mcp',
  usage: '[--user U]',
  summary: 'Serve agents by the Model Context Protocol on standard input and output.',
  options: { user: { type: 'string' } },
  help: [
    ['--user U', 'whose documents, by name or id (the owner)'],
    ['GALLEY_KEY', 'in the environment: an API key, whose name and rights the agent then has'],
  ],
  onlyHere:
    'A Galley elsewhere serves agents itself, at /mcp of its address: let the agent connect there by HTTP, with the key as “Authorization: Bearer gally_…”.',
  async run({ values, dataFolder, terminal }) {
    const key = keyGiven()
    const { getUser, withStore } = await import('./store.ts')
    const { commandContext } = await import('./channel.ts')
    const { accountByKey } = await import('../actions/credentials.ts')
    const { createFeed } = await import('../actions/feed.ts')
    const { commandLineAgent, Refused } = await import('../actions/principal.ts')
    const { AgentClient } = await import('../mcp/agent-client.ts')
    const { serveStreams } = await import('../mcp/stdio.ts')
    const { version } = await import('../version.ts')
    return withStore(dataFolder, async (store, folder) => {
      const user = getUser(store, values['user'])
      const principal: Asker['principal'] = () => {
        if (key === undefined) return commandLineAgent(user)
        const account = accountByKey({ store }, key)
        if (!account) throw new Refused(false)
        return { kind: 'owner', ...account }
      }
      try {
        principal()
      } catch {
        throw new CommandError(
          `The API key in GALLEY_KEY is unknown, expired or deleted. “galley key create --name N” makes one.`,
          exitCodes.refused.code,
        )
      }
      const feed = createFeed({ store, tell: () => {} })
      const context: McpContext = { ...commandContext(store, folder, feed), version }
      const client = new AgentClient(context, { principal, address: () => '', size: () => 0 }, (error) =>
        terminal.error(`galley: ${error instanceof Error ? error.message : String(error)}`),
      )
      await serveStreams(client)
      feed.close()
      await context.markdown.close()
      return 0
    })
  },
}
