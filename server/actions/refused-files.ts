import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { shownTypes } from '../contract/records/files.ts'
import { pictureHeadBytes, pictureSizeOf, type PictureSize } from '../domain/picture-size.ts'
import { fileTypeOf, isPicture } from '../domain/type-from-bytes.ts'
import type { ReceivedBytes } from '../store/blob-folder.ts'

/** What a browser would need gigabytes to show. */
export function refuseHuge({ width, height }: PictureSize) {
  const { pictureSide, picturePixels } = limits
  if (width <= pictureSide && height <= pictureSide && width * height <= picturePixels) return
  throw new GalleyError(
    'PAYLOAD_TOO_LARGE',
    `This picture has ${width} × ${height} pixels. It may have ${pictureSide} on a side, and ${picturePixels / 1_000_000} million in all: make it smaller first. Nothing was stored.`,
  )
}

const unsupported = (message: string) => new GalleyError('UNSUPPORTED_TYPE', `${message} Nothing was stored.`)

/**
 * What is sent as a picture and is none would stand in texts as something broken.
 * @param declared what its sender says it is
 */
export function refuseFalsePicture({ head, size }: ReceivedBytes, declared: string | undefined) {
  const type = fileTypeOf(head)
  const called = declared?.replace(/;.*/s, '').trim().toLowerCase() ?? ''
  if (isPicture(called) && shownTypes.includes(called) && !isPicture(type))
    throw unsupported(
      `This is said to be ${called}, but its bytes are no picture that browsers show. Save it anew as PNG or JPEG.`,
    )
  if (isPicture(type) && size <= pictureHeadBytes && !pictureSizeOf(type, head))
    throw unsupported('This picture is damaged: it doesn’t say how large it is.')
}
