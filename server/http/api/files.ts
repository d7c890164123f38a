import type { Readable } from 'node:stream'
import { roomFor } from '../../actions/file-room.ts'
import { freeUnusedFiles, readFilesRoom } from '../../actions/all-files.ts'
import * as files from '../../actions/files.ts'
import { invalid } from '../../contract/errors.ts'
import { fileRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { declaredType } from '../file-bodies.ts'
import { sizeOfBody } from '../body-size.ts'
import { sendFile } from '../send-file.ts'

export function fileHandlers(mounting: Mounting) {
  mount(mounting, fileRoutes.listFiles, files.listFiles, (call) => call.perform())
  mount(mounting, fileRoutes.addFile, files.addFile, async (call) => {
    const { blobs } = call.context
    const { headers, body } = call.request
    if (!body) throw invalid('The body must be the bytes of the file.')
    const room = roomFor(call.task)
    if ((sizeOfBody(headers) ?? 0) > room.bytes || room.bytes <= 0) throw room.refusal
    const received = await receive(blobs, body as Readable, room.bytes)
    if (!received) throw room.refusal
    try {
      call.task.authorize()
      const { name, reuse } = call.query
      return await call.perform({ name, received, type: declaredType(call.request.raw), reuse })
    } finally {
      await blobs.drop(received)
    }
  })
  mount(mounting, fileRoutes.getFile, files.getFile, (call) =>
    shown(call.perform(), (file) => {
      sendFile(call.context.blobs, file, call.request, call.reply)
      return undefined
    }),
  )
  mount(mounting, fileRoutes.deleteFile, files.deleteFile, (call) => call.perform())
  mount(mounting, fileRoutes.getFilesRoom, readFilesRoom, (call) => call.perform())
  mount(mounting, fileRoutes.freeUnusedFiles, freeUnusedFiles, (call) => call.perform())
}

/** So long the rest of an upload that is refused may go on, in ms. */
const runsOutMs = 10_000

/**
 * Takes an upload in. Of one that is refused the rest is let run out unread: a sender who is cut off in the middle isn't
 * told why.
 */
async function receive(blobs: files.FilesContext['blobs'], body: Readable, room: number) {
  try {
    return await blobs.receive(body.iterator({ destroyOnReturn: false }), room)
  } catch (error) {
    // Whoever hangs up in the middle has made no fault of ours.
    if (body.readableAborted) throw invalid('The upload broke off. Nothing was stored.')
    throw error
  } finally {
    if (!body.readableEnded) {
      const patience = setTimeout(() => body.destroy(), runsOutMs).unref()
      body.once('close', () => clearTimeout(patience)).resume()
    }
  }
}
