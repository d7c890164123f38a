import {
  fromJsonSchema,
  type jsonSchemaValidator,
  type CallToolResult,
  type ContentBlock,
  type JsonSchemaType,
  type McpServer,
} from '@modelcontextprotocol/server'
import type { Static, TObject } from 'typebox'
import { checkTool } from '../actions/validation.ts'
import type { Right } from '../domain/access.ts'
import { mendContext, refuseUnfit } from '../domain/json-body.ts'
import type { AgentClient } from './agent-client.ts'
import { brief } from './brief.ts'
import { explained, Mistake } from './refusal.ts'

/** One call of a tool. */
export interface ToolCall {
  client: AgentClient
  /** Ends when whoever called has left, or has taken the call back. */
  signal: AbortSignal
  /** Tells whoever waits how it goes, where they asked to be told. */
  tell(message: string): void
}

export interface Tool<Input extends TObject = TObject> {
  name: string
  title: string
  /** May leave out what whoever asks may not do. */
  description: string | ((may: (right: Right) => boolean) => string)
  input: Input
  /**
   * What it takes at least. It isn’t offered to whoever has come by a link that doesn’t allow that. A key is offered every
   * tool: what it may do, each call finds out, as it does over HTTP.
   */
  right: Right
  /** Whether it changes nothing. */
  reads?: true
  /** Whether it may do more than add: change what others made, or take something away for good. */
  destroys?: true
  run(call: ToolCall, input: Static<Input>): Promise<string | ContentBlock[]>
}

/** Ties the type of what a tool does to the schema of what it takes. */
export const tool = <Input extends TObject>(definition: Tool<Input>): Tool => definition

/** As much of a schema as says which fields there are. */
interface Fields {
  properties?: Readonly<Record<string, unknown>>
  items?: Fields
}

/** @throws Mistake for a field that there isn't: whoever sent it meant something by it. */
function refuseUnknown({ name, input }: Tool, given: unknown): void {
  const look = ({ properties, items }: Fields, value: unknown): void => {
    if (Array.isArray(value) && items) for (const one of value) look(items, one)
    if (!properties || typeof value !== 'object' || value === null) return
    for (const [field, held] of Object.entries(value)) {
      if (!Object.hasOwn(properties, field))
        throw new Mistake(
          `“${name}” knows no “${brief(field, 80)}” there, only ${Object.keys(properties).join(', ')}. Nothing was done.`,
        )
      look(properties[field] as Fields, held)
    }
  }
  look(input, given)
}

/** Says what is wrong with an input as the interface does. */
const validator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const check = checkTool(schema)
    return (input: unknown) => {
      const failure = check(input)
      return failure
        ? { valid: false, data: undefined, errorMessage: failure.message }
        : { valid: true, data: input as T, errorMessage: undefined }
    }
  },
}

/** Offers a tool. Whatever goes wrong in it is an answer that says what to do next. */
export function addTool(server: McpServer, client: AgentClient, one: Tool): void {
  const { name, title, description, input, reads = false, destroys = false, run } = one
  server.registerTool(
    name,
    {
      title,
      description:
        typeof description === 'string' ? description : description((right) => client.mayTry(right)),
      inputSchema: fromJsonSchema<Record<string, unknown>>(input as object as JsonSchemaType, validator),
      annotations: { title, readOnlyHint: reads, destructiveHint: destroys, openWorldHint: false },
    },
    async (given, { mcpReq }): Promise<CallToolResult> => {
      const progressToken = mcpReq._meta?.progressToken
      let progress = 0
      const tell = (message: string) => {
        if (progressToken === undefined) return
        const params = { progressToken, progress: ++progress, message }
        // Whoever has left is told nothing any more.
        mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
      }
      try {
        mendContext(given)
        refuseUnfit(given)
        refuseUnknown(one, given)
        const signal = client.left ? AbortSignal.any([mcpReq.signal, client.left]) : mcpReq.signal
        const answer = await run({ client, signal, tell }, given)
        return { content: typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer }
      } catch (error) {
        return { content: [{ type: 'text', text: explained(error, client, reads) }], isError: true }
      }
    },
  )
}
