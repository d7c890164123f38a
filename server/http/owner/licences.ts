import type { FastifyReply } from 'fastify'
import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { notFound } from '../../contract/errors.ts'

/** Sends the list of what Galley is made with, which the build has left beside the pages. */
export function sendLicences(reply: FastifyReply, assetsFolder: string) {
  const file = path.join(assetsFolder, 'licences.json')
  if (!existsSync(file)) throw notFound('List')
  return reply
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    .send(createReadStream(file))
}
