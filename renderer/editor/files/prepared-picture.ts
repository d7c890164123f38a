import { orientationOf, withoutMetadata } from './without-metadata.ts'

export interface PreparedFile {
  blob: Blob
  name: string
  /** What it shows, where it is a picture that this browser can draw. */
  drawn: ImageBitmap | null
}

/** No screen shows more of a picture in a text, in pixels. */
const longestSide = 2560
const quality = 0.86

/**
 * A file as it is sent: of a photo as much as a screen shows, without where it was taken and with which camera.
 * Everything else stays as it is.
 */
export async function prepared(file: File): Promise<PreparedFile> {
  const asIs = { blob: file, name: file.name, drawn: null }
  // What may move stays whole.
  if (!file.type.startsWith('image/') || /svg|gif/.test(file.type)) return asIs
  let drawn: ImageBitmap
  try {
    drawn = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return asIs
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isLarge = Math.max(drawn.width, drawn.height) > longestSide
  const isUpright = file.type === 'image/png' || (file.type === 'image/jpeg' && orientationOf(bytes) === 1)
  const bare = isLarge || !isUpright ? null : withoutMetadata(bytes)
  if (bare) return { blob: new Blob([bare as BlobPart], { type: file.type }), name: file.name, drawn }
  if (isMoving(bytes)) return { ...asIs, drawn }
  const type = ['image/png', 'image/webp'].includes(file.type) ? file.type : 'image/jpeg'
  const blob = await drawnAnew(drawn, type)
  return blob ? { blob, name: renamed(file.name, blob.type), drawn } : { ...asIs, drawn }
}

/** A WebP with frames: drawn anew it would stand still. */
const isMoving = (bytes: Uint8Array) =>
  String.fromCharCode(...bytes.subarray(8, 16)) === 'WEBPVP8X' && (bytes[20]! & 2) !== 0

function drawnAnew(picture: ImageBitmap, type: string): Promise<Blob | null> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}

const endings: Record<string, string> = { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/webp': '.webp' }
const renamed = (name: string, type: string) => name.replace(/\.[^.]*$/, '') + (endings[type] ?? '')
