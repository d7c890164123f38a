import { ApiError, readEnvelope } from './client-of.ts'

interface UploadOptions {
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

interface Uploaded {
  data: unknown
  /** Whether the server had it before. */
  isReplayed: boolean
}

/** So long nothing may be heard of it, in milliseconds. A machine that has just gone to sleep doesn’t say that it has. */
const longest = 30_000

/**
 * Sends a file's bytes and tells how far it is, which `fetch` can't. Rejects with an ApiError as every call does, or
 * where it was given up.
 */
export function upload(
  url: string,
  bytes: Blob,
  { onProgress, signal }: UploadOptions = {},
): Promise<Uploaded> {
  const request = new XMLHttpRequest()
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise((resolve, reject) => {
    request.open('POST', url)
    request.setRequestHeader('content-type', bytes.type || 'application/octet-stream')
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        request.onabort = request.onerror
        request.abort()
      }, longest)
    }
    request.upload.onprogress = ({ loaded, total }) => {
      heard()
      onProgress?.(total > 0 ? loaded / total : 0)
    }
    request.onloadend = () => clearTimeout(timer)
    request.onload = () => {
      let body: unknown = null
      try {
        body = JSON.parse(request.responseText)
      } catch {
        // Something else has answered, which is said below.
      }
      try {
        resolve({
          data: readEnvelope(body, request.status, request.getResponseHeader('retry-after')),
          isReplayed: request.getResponseHeader('idempotency-replayed') === 'true',
        })
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    request.onerror = () => reject(new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.'))
    request.onabort = () => reject(new ApiError('OFFLINE', 0, 'It was given up.'))
    signal?.addEventListener('abort', () => request.abort())
    heard()
    request.send(bytes)
  })
}
