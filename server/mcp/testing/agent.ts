import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { accountByKey } from '../../actions/credentials.ts'
import { Refused } from '../../actions/principal.ts'
import { hosts, type TestGalley } from '../../testing/galley.ts'
import { AgentClient } from '../agent-client.ts'
import { createMcpServer } from '../server.ts'

const me = { name: 'test', version: '1' }

/** The SDK's own client, that has come by a key, without HTTP between. */
export async function connectAgent({ context, log }: TestGalley, key: string) {
  const principal = () => {
    const account = accountByKey(context, key)
    if (!account) throw new Refused(true)
    return { kind: 'owner' as const, ...account }
  }
  const asker = { principal, address: () => '127.0.0.1', size: () => 0 }
  const served = new AgentClient(context, asker, (error) => log.push(String(error)))
  const server = createMcpServer(served, { era: 'legacy', stays: true })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  const client = new Client(me)
  await client.connect(theirs)
  return agent(client)
}

interface Way {
  headers?: Record<string, string>
  on?: 'owner' | 'share'
  path?: string
  /** What the program says it is called. */
  name?: string
}

/** The SDK's own client by HTTP, through one of the listeners. */
export async function connectByHttp(
  { apps }: TestGalley,
  { headers = {}, on = 'owner', path = '/mcp', name = me.name }: Way,
) {
  const fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(input)
    const { statusCode, headers, rawPayload } = await apps[on].inject({
      method: (init.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: hosts[on] },
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    })
    const shown = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
    const isEmpty = [202, 204, 304].includes(statusCode)
    return new Response(isEmpty ? null : new Uint8Array(rawPayload), { status: statusCode, headers: shown })
  }
  const client = new Client({ ...me, name })
  const url = new URL(`http://${hosts[on]}${path}`)
  await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: { headers } }))
  return agent(client)
}

function agent(client: Client) {
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content = [], isError = false } = await client.callTool({ name, arguments: args })
    const text = content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
    return { text, isError, content }
  }
  return {
    client,
    call,
    /** Calls a tool, and expects it to do what it is asked. */
    async does(name: string, args?: Record<string, unknown>) {
      const { text, isError } = await call(name, args)
      if (isError) throw new Error(text)
      return text
    },
    /** Calls a tool, and expects it to refuse. */
    async isRefused(name: string, args?: Record<string, unknown>) {
      const { text, isError } = await call(name, args)
      if (!isError) throw new Error(`It was done: ${text}`)
      return text
    },
  }
}
