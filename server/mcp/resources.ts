import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { listDocuments, readDocument } from '../actions/documents.ts'
import { explainError } from '../actions/explained-errors.ts'
import { limits } from '../contract/limits.ts'
import { documentUri, scheme } from './addresses.ts'
import type { AgentClient } from './agent-client.ts'
import { explained } from './refusal.ts'
import { titleOf } from './shown.ts'
import { feedbackOf } from './tools/read.ts'

const markdown = 'text/markdown'

/** That there is no such resource, as the protocol says it; or what else is wrong. */
export function resourceFailure(client: AgentClient, uri: string, error: unknown): Error {
  const isNone = explainError(error)?.code === 'NOT_FOUND'
  const message = explained(error, client, true)
  return isNone ? new ResourceNotFoundError(uri, message) : new Error(message, { cause: error })
}

/** Documents, and what is said about them, as resources: the newest are listed, all can be read. */
export function addResources(server: McpServer, client: AgentClient): void {
  const list = async () => {
    const documents =
      client.only === undefined
        ? await client.perform(listDocuments, {}, { limit: limits.pageSizeMax, offset: 0 })
        : [await client.perform(readDocument, { id: client.only }, undefined)]
    const resources = documents.map((one) => ({
      ...{ uri: documentUri(one.id), name: titleOf(one), mimeType: markdown },
      annotations: { lastModified: one.updated_at },
    }))
    return { resources }
  }
  const reader =
    (read: (id: string) => Promise<string>) =>
    async ({ href }: URL, { id }: Record<string, string | string[]>) => {
      try {
        return { contents: [{ uri: href, mimeType: markdown, text: await read(String(id)) }] }
      } catch (error) {
        throw resourceFailure(client, href, error)
      }
    }
  const readText = async (id: string) => (await client.perform(readDocument, { id }, undefined)).content
  const readFeedback = async (id: string) =>
    feedbackOf(client, await client.perform(readDocument, { id }, undefined), 'open')

  server.registerResource(
    'document',
    new ResourceTemplate(`${scheme}{id}`, { list }),
    { title: 'Document', description: 'The markdown of a document, to the letter.', mimeType: markdown },
    reader(readText),
  )
  server.registerResource(
    'feedback',
    new ResourceTemplate(`${scheme}{id}/feedback`, { list: undefined }),
    {
      ...{ title: 'Feedback', mimeType: markdown },
      description: 'The open comments and suggestions of a document, with their ids.',
    },
    reader(readFeedback),
  )
}
