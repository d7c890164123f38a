import { escapeHtml } from './escape-html.ts'

export interface LinkTarget {
  href: string
  /** The other site's host; null for a place on this one, and for mail. */
  host: string | null
}

// Resolving against a host that can't exist tells "elsewhere" from "here" by the rules browsers use,
// with all they forgive: tabs inside the scheme, backslashes for slashes, leading control characters.
const here = 'https://galley.invalid/'
const schemes = new Set(['http:', 'https:', 'mailto:'])

/** Ids made for readers' text start with this, so that none can stand in for a name the page's script uses. */
export const idPrefix = 'user-content-'

/** Where a link may lead; null if its scheme isn't allowed or it leads nowhere. */
export function findLinkTarget(href: string): LinkTarget | null {
  const encoded = encodeHref(href)
  if (encoded.startsWith('#')) {
    const name = encoded.slice(1)
    return { href: name && !name.startsWith(idPrefix) ? `#${idPrefix}${name}` : encoded, host: null }
  }
  // A word and a colon this early are meant as a scheme, whatever stands before them.
  if (/^[^/?#]*[a-z\d+.-]:/i.test(encoded) && !/^(?:https?|mailto):/i.test(encoded)) return null
  const url = URL.parse(encoded, here)
  if (!url || !schemes.has(url.protocol)) return null
  const away = url.protocol !== 'mailto:' && url.host !== 'galley.invalid'
  return { href: encoded, host: away ? url.host : null }
}

/** Attributes of a link, starting with a space. */
export function linkAttributes(target: LinkTarget): string {
  const away = target.host === null ? '' : ' rel="noopener noreferrer nofollow ugc" target="_blank"'
  return ` href="${escapeHtml(target.href)}"${away}`
}

const dataImage = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z\d+/=\s]+$/i

/** Whether the image is in the address itself, in a format that can't hold script. */
export function isDataImage(src: string): boolean {
  return dataImage.test(src.trim())
}

/** The name of a file of the document's own that an address leads to, percent-encoded; null for any other address. */
export function storedFile(src: string): string | null {
  const name = /^(?:\.\/)?files\/([^/?#\\]+)(?:#[^\s]*)?$/.exec(src.trim())?.[1]
  if (name === undefined) return null
  try {
    return encodeURIComponent(decodeURIComponent(name.toWellFormed()))
  } catch {
    return encodeURIComponent(name.toWellFormed())
  }
}

/** How much of the column a picture takes by its address, in per cent: `files/NAME#width=50%`. Null for as much as it has. */
export function pictureWidth(src: string): number | null {
  const width = /#width=(25|50|75)(?:%|%25)?$/.exec(src.trim())?.[1]
  return width === undefined ? null : Number(width)
}

function encodeHref(href: string): string {
  return encodeURI(href.toWellFormed().trim()).replace(/%25/g, '%')
}
