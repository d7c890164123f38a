import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { addFile, deleteFile, getFile, listFiles } from '../../actions/files.ts'
import { GalleyError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { AgentClient } from '../agent-client.ts'
import { Mistake } from '../refusal.ts'
import { tool } from '../tool.ts'
import { documentId } from './fields.ts'

/** Larger ones are for people, and for the interface. */
const mostShownBytes = 1024 * 1024

export const files = tool({
  name: 'files',
  title: 'Pictures and files',
  right: 'file.read',
  description: (may) =>
    may('file.add')
      ? 'Lists the pictures and files of a document, shows one, adds one (then write ![words](files/NAME) into the text), or deletes one.'
      : 'Lists the pictures and files of a document, or shows one.',
  destroys: true,
  input: Type.Object({
    document: documentId,
    do: Type.Optional(Type.Enum(['list', 'get', 'add', 'delete'], { description: 'list (usual)' })),
    name: Type.Optional(Type.String({ description: 'Of the file.' })),
    base64: Type.Optional(Type.String({ description: 'With “add”: its bytes.' })),
  }),
  async run({ client }, { document: id, do: what = 'list', name, base64 }) {
    if (what === 'list') {
      const all = await client.perform(listFiles, { id }, undefined)
      if (all.length === 0) return `It has no files.${client.may('file.add') ? ' “do”: “add” adds one.' : ''}`
      return all
        .map(({ name, type, size, width, height, path }) => {
          const pixels = width === null ? '' : `, ${width} × ${height}`
          return `- ${name} (${type}, ${size} bytes${pixels}), in the text: ${path}`
        })
        .join('\n')
    }
    if (name === undefined) throw new Mistake('Say the file’s “name”; “do”: “list” gives them.')
    if (what === 'add') return add(client, id, name, base64)
    if (what === 'get') return show(client, id, name)
    const file = await client.perform(getFile, { id, file: name }, undefined)
    await client.perform(deleteFile, { id, file: file.id }, undefined)
    return `Deleted ${name}. Take it out of the text, too, where it stands there.`
  },
})

/** With padding or without; line breaks stand in what some programs make. */
const isBase64 = (text: string) => {
  const signs = text.replace(/\s+/g, '')
  return /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/.test(signs) && signs.replace(/=+$/, '').length % 4 !== 1
}

async function add(client: AgentClient, id: string, name: string, base64 = ''): Promise<string> {
  if (!isBase64(base64))
    throw new Mistake(
      '“base64” isn’t base64, and nothing was added. Send the file’s bytes encoded so, and nothing before them such as “data:image/png;base64,”.',
    )
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) throw new Mistake('“base64” is missing: send the file’s bytes.')
  const { blobs } = client.context
  // Whoever may not add it sends it in vain, and nothing stays.
  const received = await blobs.receive(Readable.from([bytes]), limits.fileBytes)
  if (!received) throw new GalleyError('PAYLOAD_TOO_LARGE', 'This file is too large.')
  try {
    const { path, type } = await client.perform(addFile, { id }, { name, received })
    const shown = type.startsWith('image/') ? `![describe it](${path})` : `[${name}](${path})`
    return `Added. To show it, “edit” the text: ${shown}`
  } finally {
    await blobs.drop(received)
  }
}

async function show(client: AgentClient, id: string, name: string) {
  const { sha256, type, size } = await client.perform(getFile, { id, file: name }, undefined)
  const bytes = size > mostShownBytes ? undefined : await client.context.blobs.readWhole(sha256)
  if (size > mostShownBytes)
    throw new Mistake(
      `${name} has ${size} bytes, too many for one answer. GET /api/documents/${id}/files/${encodeURIComponent(name)} gives it.`,
    )
  if (!bytes)
    throw new GalleyError('NOT_FOUND', 'The bytes of this file are missing from Galley’s data folder.')
  if (type.startsWith('image/'))
    return [{ type: 'image' as const, data: bytes.toString('base64'), mimeType: type }]
  const uri = `galley://documents/${id}/files/${encodeURIComponent(name)}`
  return [{ type: 'resource' as const, resource: { uri, mimeType: type, blob: bytes.toString('base64') } }]
}
