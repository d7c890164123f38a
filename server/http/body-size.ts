import type { IncomingHttpHeaders } from 'node:http'

/** How long the body will be; undefined if the request doesn't say. */
export function sizeOfBody(headers: IncomingHttpHeaders): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}
/** Whether anything comes after the headers, wanted or not. */
export const hasBody = (headers: IncomingHttpHeaders) => sizeOfBody(headers) !== 0
