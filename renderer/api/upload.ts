import { ApiError, readEnvelope } from './client-of.ts'

interface UploadOptions {
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/**
 * Sends a file's bytes and tells how far it is, which `fetch` can't. Rejects with an ApiError as every call does, or
 * where it was given up.
 */
export function upload(
  url: string,
  bytes: Blob,
  { onProgress, signal }: UploadOptions = {},
): Promise<unknown> {
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.open('POST', url)
    request.setRequestHeader('content-type', bytes.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      let body: unknown = null
      try {
        body = JSON.parse(request.responseText)
      } catch {
        // Something else has answered, which is said below.
      }
      try {
        resolve(readEnvelope(body, request.status, request.getResponseHeader('retry-after')))
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    request.onerror = () => reject(new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.'))
    request.onabort = () => reject(new ApiError('OFFLINE', 0, 'It was given up.'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(bytes)
  })
}
