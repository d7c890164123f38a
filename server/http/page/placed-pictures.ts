import type { RenderedPage } from '../../actions/rendered-document.ts'
import { isPicture } from '../../domain/type-from-bytes.ts'
import { escapeHtml } from '../../markdown/escape-html.ts'

export type PlacedFile = RenderedPage['files'][number]

/**
 * Gives the pictures of a rendered text their place and size, and links to files theirs. The renderer writes them by
 * their names alone, as `files/NAME`, so that what is kept is the same for all; nothing else in its pages begins so. A
 * picture that isn't there is said to be missing. Links stand there as they were written, whatever that is.
 * @param urlOf where a file is for whoever gets the page; undefined where it has none there
 */
export function placePictures(
  html: string,
  files: readonly PlacedFile[],
  urlOf: (file: PlacedFile) => string | undefined,
): string {
  if (!/="(?:\.\/)?files\//.test(html)) return html
  const byName = new Map(files.map((file) => [file.name, file]))
  const find = (name: string) => byName.get(decoded(name))
  return html
    .replace(
      /<img src="files\/([^"]*)" alt="([^"]*)"([^>]*)>/g,
      (_image, name: string, alt: string, more: string) => {
        const file = find(name)
        const url = file && urlOf(file)
        const instead = (why: string) => unshown(alt, decoded(name), why)
        if (!file) return instead('is missing')
        if (url === undefined) return instead('isn’t shown here')
        if (/^(?:audio|video)\//.test(file.type)) return player(file, url, alt)
        if (!isPicture(file.type)) return instead('can’t be shown as a picture')
        const isSized = / (?:width|height)="/.test(more)
        const size =
          file.width === null || file.height === null || isSized
            ? ''
            : ` width="${file.width}" height="${file.height}"`
        return `<img src="${escapeHtml(url)}" alt="${alt}"${size}${more}>`
      },
    )
    .replace(/<a href="(?:\.\/)?files\/([^"#?]*)"/g, (link, name: string) => {
      const file = find(name)
      const url = file && urlOf(file)
      return url === undefined ? link : `<a href="${escapeHtml(url)}" download`
    })
}

/** A name as it stands in an address; where its percent signs mean nothing, they are a part of it. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** @param alt as it stands in an attribute */
function player({ type, name }: PlacedFile, url: string, alt: string): string {
  const kind = type.startsWith('video/') ? 'video' : 'audio'
  return `<${kind} controls preload="metadata" src="${escapeHtml(url)}" aria-label="${alt || escapeHtml(name)}"></${kind}>`
}

/**
 * What stands in a picture's place: what it shows, if that is said, its name, and why it isn't there.
 * @param alt as it stands in an attribute
 */
function unshown(alt: string, name: string, why: string): string {
  const file = escapeHtml(name)
  const reason = alt === '' ? why : `${file} ${why}`
  return `<span class="img"><span class="img-alt">${alt || file}</span> <span class="img-host">${reason}</span></span>`
}

/** Where a file is, seen from a page that is one level deep, also below a path of a proxy. */
export const fileUrl = (document: string, token?: string) => (file: PlacedFile) =>
  `../api/documents/${encodeURIComponent(document)}/files/${encodeURIComponent(file.name)}${token === undefined ? '' : `?share_token=${encodeURIComponent(token)}`}`

/** The same for a document in the trash, whose page is a level deeper. Only its owner's browser may ask there. */
export const trashedFileUrl =
  (document: string) =>
  ({ name }: PlacedFile) =>
    `${encodeURIComponent(document)}/files/${encodeURIComponent(name)}`
