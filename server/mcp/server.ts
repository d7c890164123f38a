import { McpServer } from '@modelcontextprotocol/server'
import type { Caller } from './caller.ts'
import { addTool } from './tool.ts'
import { tools } from './tools/index.ts'

const instructions = `Galley holds a writer’s documents, in markdown, and what people say about them.
“find” gives ids; “read” gives a text, or a part of it.
Text is named by its exact words: quote as much as makes a place the only one.`

/** A server of the Model Context Protocol that does for an agent what the actions let it do. */
export function createMcpServer(caller: Caller): McpServer {
  const { version } = caller.context
  const server = new McpServer({ name: 'galley', title: 'Galley', version }, { instructions })
  for (const one of tools) addTool(server, caller, one)
  return server
}
