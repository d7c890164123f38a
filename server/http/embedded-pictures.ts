import type { FilesContext } from '../actions/files.ts'
import { isPicture } from '../domain/type-from-bytes.ts'
import type { PlacedFile } from './page/placed-pictures.ts'

/** So many bytes of pictures one exported page holds at most; it is made in memory. */
const mostBytes = 32 * 1024 * 1024

/** The pictures that a page shows as addresses that hold them, by their names, as far as one page can hold them. */
export async function embeddedPictures(
  blobs: FilesContext['blobs'],
  html: string,
  files: readonly PlacedFile[],
): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  let bytes = 0
  for (const { name, type, size, sha256 } of files) {
    if (!isPicture(type) || bytes + size > mostBytes) continue
    if (!html.includes(`<img src="files/${encodeURIComponent(name)}"`)) continue
    const content = await blobs.readWhole(sha256)
    if (!content) continue
    bytes += size
    urls.set(name, `data:${type};base64,${content.toString('base64')}`)
  }
  return urls
}
