import type { Readable } from 'node:stream'
import * as files from '../../actions/files.ts'
import { GalleyError, invalid } from '../../contract/errors.ts'
import { fileRoutes } from '../../contract/routes.ts'
import { byteRangeOf } from '../../domain/byte-range.ts'
import { shownTypes } from '../../contract/records/files.ts'
import { dispositionOf } from '../answer.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { sizeOfBody } from '../body-size.ts'

export function fileHandlers(mounting: Mounting) {
  mount(mounting, fileRoutes.listFiles, files.listFiles, (call) => call.perform())
  mount(mounting, fileRoutes.addFile, files.addFile, async (call) => {
    const { blobs } = call.context
    const { headers, body } = call.request
    if (!body) throw invalid('The body must be the bytes of the file.')
    const room = files.roomFor(call.task)
    if ((sizeOfBody(headers) ?? 0) > room || room <= 0) files.refuseSize(room)
    const received = await blobs.receive(body as Readable, room)
    if (!received) return files.refuseSize(room)
    try {
      call.task.authorize()
      return await call.perform({ name: call.query.name, received })
    } finally {
      await blobs.drop(received)
    }
  })
  mount(mounting, fileRoutes.getFile, files.getFile, (call) =>
    shown(call.perform(), ({ name, sha256, size, type }) => {
      const { blobs } = call.context
      const etag = `"${sha256}"`
      // Asked for each time, so that whoever may not see it any more doesn't.
      const kept = { etag, 'cache-control': 'private, no-cache' }
      if (call.request.headers['if-none-match'] === etag) {
        void call.reply.code(304).headers(kept).send()
        return undefined
      }
      if (!blobs.has(sha256))
        throw new GalleyError('NOT_FOUND', 'The bytes of this file are missing from Galley’s data folder.')
      const { range, 'if-range': ifRange = etag } = call.request.headers
      const part = ifRange === etag ? byteRangeOf(range, size) : null
      if (part) void call.reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
      void call.reply
        .headers({
          ...kept,
          'accept-ranges': 'bytes',
          'content-type': type,
          'content-length': part ? part.end - part.start + 1 : size,
          'content-security-policy': "default-src 'none'; sandbox",
          'content-disposition': shownTypes.includes(type) ? 'inline' : dispositionOf(name),
        })
        .send(blobs.read(sha256, part))
      return undefined
    }),
  )
  mount(mounting, fileRoutes.deleteFile, files.deleteFile, (call) => call.perform())
}
