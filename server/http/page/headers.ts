import { createHash } from 'node:crypto'

export type Headers = Readonly<Record<string, string>>

const everywhere = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(self), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()',
}

/**
 * What a page of ours says it is. A tunnel or proxy may answer in Galley’s place: only what says so itself may make a
 * browser forget what it keeps, or replace it.
 */
const says = (page: 'share' | 'dead-link') => ({ 'galley-page': page })

/**
 * Headers of the share page. Nothing inline runs or styles, nothing comes from elsewhere, and no page may frame it.
 * `styleNonce` lets the editor put its own style element in; only a page that may load the editor needs one.
 */
export function shareHeaders(styleNonce?: string, expiresAt: string | null = null): Headers {
  return {
    ...everywhere,
    ...says('share'),
    // Nothing may be shown from a browser's copy once its link has expired.
    ...(expiresAt === null ? {} : { 'galley-until': expiresAt }),
    'content-security-policy': policy({
      'script-src': "'self'",
      'worker-src': "'self'",
      'style-src': styleNonce === undefined ? "'self'" : `'self' 'nonce-${styleNonce}'`,
      'img-src': "'self' data:",
      'media-src': "'self'",
      'font-src': "'self'",
      'connect-src': "'self'",
      // Diagrams are drawn in a frame of ours without an origin (`diagramsHeaders`).
      'frame-src': "'self'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    }),
  }
}

/** Headers of what a link leads to where it is no page: the text, or the document as data. It is kept no more than the page. */
export const linkedHeaders = (type: string): Headers => ({
  ...everywhere,
  'content-type': `${type}; charset=utf-8`,
  'content-security-policy': policy({ 'frame-ancestors': "'none'" }),
})

/** Headers of a page that has no script and only the given style sheet, written into it. */
export function plainHeaders(style: string): Headers {
  return {
    ...everywhere,
    'content-security-policy': policy({
      'style-src': styleSource(style),
      'img-src': 'data:',
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    }),
  }
}

/** Headers of the page of a link that opens nothing: beside its style sheet it has a script, which is a file of ours. */
export const deadLinkHeaders = (style: string): Headers => ({
  ...everywhere,
  ...says('dead-link'),
  'content-security-policy': policy({
    'script-src': "'self'",
    'style-src': styleSource(style),
    'img-src': 'data:',
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }),
})

/**
 * Headers of the page that draws diagrams, in a frame of pages of ours. It has no origin, also when it is opened on its
 * own; beside its own scripts it loads nothing, and asks nobody. What it draws brings styles along.
 * @param host by which it was asked for: in WebKit a page without an origin has no `'self'` to load a script from. What is
 * no name of a host is left out: it would be read as more of the policy.
 */
export const diagramsHeaders = (host: string): Headers => ({
  ...everywhere,
  // The same for everybody; which scripts it names depends on the build alone.
  'cache-control': 'no-cache',
  'content-security-policy': policy({
    sandbox: 'allow-scripts',
    'script-src': /^[\w.:[\]-]+$/.test(host) ? `'self' http://${host} https://${host}` : "'self'",
    'style-src': "'unsafe-inline'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
  }),
})

/** Headers of the share page’s worker, which asks nobody but the server it came from. */
export const workerHeaders: Headers = {
  'content-type': 'text/javascript; charset=utf-8',
  // Looked for anew, so that an old one never outlives the server it came from.
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': policy({ 'connect-src': "'self'" }),
}

/**
 * Headers of the owner's reading view: sandboxed even when it is opened on its own, framed by the app only, and no
 * script runs in it. The app around it may look into it: that is how it knows what is read, and hears its keys.
 */
export const previewHeaders = (style: string): Headers =>
  framedHeaders(style, { sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox' })

/** Headers of the page that is printed: without scripts too, but the app that frames it may open the print window. */
export const printHeaders = (style: string): Headers =>
  framedHeaders(style, { sandbox: 'allow-same-origin allow-modals' })

function framedHeaders(style: string, more: Record<string, string>): Headers {
  return {
    ...everywhere,
    'content-security-policy': policy({
      'style-src': `${styleSource(style)} 'self'`,
      'font-src': "'self'",
      'img-src': "'self' data:",
      'media-src': "'self'",
      'form-action': "'none'",
      'frame-ancestors': "'self'",
      ...more,
    }),
  }
}

/** Headers of the API reference: its style sheet is a file of ours, and it has no script. */
export const docsHeaders: Headers = {
  ...everywhere,
  'content-security-policy': policy({
    'style-src': "'self'",
    'img-src': 'data:',
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }),
}

function policy(directives: Record<string, string>): string {
  return Object.entries({ 'default-src': "'none'", ...directives, 'base-uri': "'none'" })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

const styleSource = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`
