import { isHeic } from './heic.ts'
import { withoutMetadata } from './without-metadata.ts'

export interface PreparedFile {
  blob: Blob
  name: string
  /** What it shows, where it is a picture that this browser can draw. */
  drawn: ImageBitmap | null
  /** The whole of what was made smaller, which can be had instead. */
  original: OriginalPicture | null
}

/** A picture in all its pixels, without what is said of it beside them. */
export interface OriginalPicture {
  /** As far as is known before it is read again, in bytes. */
  size: number
  read: () => Promise<{ blob: Blob; name: string }>
}

const heicHint =
  'Only Safari shows photos in HEIC. Save it as JPEG first (on an iPhone, Settings → Camera → Formats → Most Compatible makes new ones so), or add it in Safari.'

/** No screen shows more of a picture in a text, in pixels. */
const longestSide = 2560
const quality = 0.86
const originalQuality = 0.95

/** Nobody could see it: what to do instead is said in its message. */
export class NotShowable extends Error {}

/**
 * A file as it is sent: of a photo as much as a screen shows, without where it was taken and with which camera.
 * Everything else stays as it is. Rejects with NotShowable for a photo that most browsers don't show, and this one can't
 * make another of.
 */
export async function prepared(file: File): Promise<PreparedFile> {
  const asIs = { blob: file, name: file.name, drawn: null, original: null }
  // Not every system says what that is.
  const isPhoto = isHeic(new Uint8Array(await file.slice(0, 64).arrayBuffer()))
  if (!isPhoto && (!file.type.startsWith('image/') || file.type.includes('svg'))) return asIs
  let drawn: ImageBitmap
  try {
    drawn = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    if (isPhoto) throw new NotShowable(heicHint)
    return asIs
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const bare = bareBlob(bytes, file.type)
  const isLarge = Math.max(drawn.width, drawn.height) > longestSide
  // Drawn anew, what moves would stand still.
  if (isMoving(bytes)) return { ...asIs, blob: bare ?? file, drawn }
  if (bare && !isLarge) return { ...asIs, blob: bare, drawn }
  const blob = await drawnAnew(drawn, typeFor(file), longestSide, quality)
  if (!blob && isPhoto) throw new NotShowable(heicHint)
  if (!blob || (bare && bare.size <= blob.size)) return { ...asIs, blob: bare ?? file, drawn }
  const original = isLarge ? { size: bare?.size ?? file.size, read: () => wholeOf(file) } : null
  return { blob, name: renamed(file.name, blob.type), drawn, original }
}

/** All of its pixels: as they came, where its bytes can be freed of the rest, else drawn anew. */
async function wholeOf(file: File): Promise<{ blob: Blob; name: string }> {
  const bare = bareBlob(new Uint8Array(await file.arrayBuffer()), file.type)
  if (bare) return { blob: bare, name: file.name }
  const drawn = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const blob = await drawnAnew(drawn, typeFor(file), Infinity, originalQuality)
  drawn.close()
  if (!blob) throw new Error('This browser can’t draw a picture that large.')
  return { blob, name: renamed(file.name, blob.type) }
}

function bareBlob(bytes: Uint8Array, type: string): Blob | null {
  const bare = withoutMetadata(bytes)
  return bare && new Blob([bare as BlobPart], { type })
}

const latin = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))

/** A GIF, which may be, and a WebP or PNG with frames: it says so before its first one. */
const isMoving = (bytes: Uint8Array) =>
  latin(bytes, 0, 4) === 'GIF8' || latin(bytes, 8, 16) === 'WEBPVP8X'
    ? (bytes[20]! & 2) !== 0
    : /PNG.*acTL/s.test(latin(bytes, 0, 1_000))

/** What may be seen through stays so. */
const typeFor = ({ type }: File) =>
  type === 'image/png' || type === 'image/webp' ? type : type === 'image/avif' ? 'image/webp' : 'image/jpeg'

function drawnAnew(picture: ImageBitmap, type: string, longest: number, good: number): Promise<Blob | null> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, type, good))
}

const endings: Record<string, string> = { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/webp': '.webp' }
const renamed = (name: string, type: string) => name.replace(/\.[^.]*$/, '') + (endings[type] ?? '')
