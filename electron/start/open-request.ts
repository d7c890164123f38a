import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Type, type Static } from 'typebox'
import { optionTypes } from './options.ts'

/** What somebody who starts the app wants to see. */
export const OpenRequest = Type.Object({
  /** A page, as a path of the app. */
  page: Type.Optional(Type.String({ pattern: '^/documents/[0-9a-f-]{36}$' })),
  /** Files, as absolute paths. */
  files: Type.Array(Type.String()),
  /** Nothing at all: the system starts the app for it to go on sharing. */
  background: Type.Optional(Type.Boolean()),
})
export type OpenRequest = Static<typeof OpenRequest>

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The page of the app that a `galley:` link means, as a path; undefined for any other argument and any link that
 * names nothing. Links come from outside, so the path is put together here and never taken over.
 */
export function findPage(argument: string): string | undefined {
  const id = /^galley:\/\/documents\/([^/]+)$/i.exec(argument)?.[1]
  return id !== undefined && uuid.test(id) ? `/documents/${id.toLowerCase()}` : undefined
}

/** The file that an argument names, if it names one: other addresses than `file:` are none. */
function findFile(argument: string, folder: string): string | undefined {
  if (argument === '') return undefined
  if (/^file:/i.test(argument)) {
    const url = URL.parse(argument)
    // One on another machine would be asked for over the network, with this account's name.
    if (!url || (url.host !== '' && url.host !== 'localhost')) return undefined
    try {
      return fileURLToPath(url)
    } catch {
      return undefined
    }
  }
  // A single letter before the colon is a drive.
  if (/^[a-z][a-z\d+.-]+:/i.test(argument)) return undefined
  return path.resolve(folder, argument)
}

/**
 * What arguments ask for: the last page named, and all files. What an option takes is never a file, and after `--`
 * nothing is an option.
 */
export function readRequest(args: readonly string[], folder: string): OpenRequest {
  const { tokens, values } = parseArgs({ args: [...args], strict: false, tokens: true, options: optionTypes })
  const named = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const page = named.map(findPage).findLast((one) => one !== undefined)
  const files = named.flatMap((argument) => findFile(argument, folder) ?? [])
  return {
    ...(page === undefined ? {} : { page }),
    files: [...new Set(files)],
    ...(values.background === true && named.length === 0 ? { background: true } : {}),
  }
}
