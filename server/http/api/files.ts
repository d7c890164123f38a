import type { Readable } from 'node:stream'
import * as files from '../../actions/files.ts'
import { invalid } from '../../contract/errors.ts'
import { fileRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { sizeOfBody } from '../body-size.ts'
import { sendFile } from '../send-file.ts'

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
    shown(call.perform(), (file) => {
      sendFile(call.context.blobs, file, call.request, call.reply)
      return undefined
    }),
  )
  mount(mounting, fileRoutes.deleteFile, files.deleteFile, (call) => call.perform())
}
