// That crashes are to be kept: nothing here writes a report.
import { strict } from './strict.ts'

interface Options {
  uploadToServer?: boolean
  submitURL?: string
}

let started: Options | undefined

export const crashReporter = strict('crashReporter', {
  start(options: Options) {
    const { uploadToServer = true, submitURL } = options
    if (uploadToServer && !submitURL)
      throw new Error('submitURL must be specified when uploadToServer is true')
    started = { ...options, uploadToServer }
  },
  getUploadToServer() {
    if (!started) throw new Error('crashReporter is not started')
    return started.uploadToServer
  },
})
