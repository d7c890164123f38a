import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run, runWith, testFolder } from '../testing/cli.ts'

const program = path.join(import.meta.dirname, '../cli.ts')

test('a key that isn’t good is told from what can’t be done', async () => {
  const env = { GALLEY_KEY: 'gally_no' }
  expect(await runWith({ env }, 'mcp', '--data', testFolder())).toMatchObject({ code: 4 })
})

test('an agent that starts “galley mcp” finds what is there, and the command ends with it', async () => {
  const folder = testFolder()
  const key = (await run('key', 'create', '--name', 'Bot', '--data', folder)).out.trim()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--data', folder],
    env: { GALLEY_KEY: key, PATH: process.env['PATH'] ?? '' },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { content } = await client.callTool({ name: 'find', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('no documents yet') }])
  const { pid } = transport
  await client.close()
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
}, 120_000)
