import type { LinkAccess } from '../../domain/access.ts'
import { linkAllows } from '../../domain/link-sentences.ts'
import { commonHead } from './head.ts'
import { markup, trusted, type Html } from './markup.ts'
import { inSections } from './sections.ts'
import { shownTitle, titleBlock } from './title.ts'

/** The viewer's files, as URLs relative to `/share/`. */
export interface ShareAssets {
  script: string
  styles: readonly string[]
  /** Modules the script imports at once. */
  preload: readonly string[]
  /** Files of the parts that the script imports when they are wanted. */
  later: readonly string[]
}

interface PageHeading {
  level: number
  text: string
  id: string
}

/** All that a share page shows or its script is told; nothing else of the document leaves the server with it. */
export interface SharePageView {
  documentId: string
  token: string
  access: LinkAccess
  title: string
  /** Sanitised, from the renderer. */
  html: string
  headings: readonly PageHeading[]
  /** Of the text; null where it can’t be told. The page around it speaks English. */
  language: string | null
  excerpt: string
  words: number
  revision: number
  updatedAt: string
  ownerName?: string | null
  assets: ShareAssets
  /** The same as in `shareHeaders`. */
  styleNonce?: string
}

/** The page at `/share/<token>`: the text reads as it is; the script adds what the link permits. */
export function sharePage(view: SharePageView): string {
  const title = shownTitle(view.title)
  const outline = view.headings.filter((heading) => heading.level <= 3 && heading.text.trim())
  const hasOutline = outline.length >= 3
  // Suggesting is typed in an editor, too.
  const hasEditor = view.access === 'edit' || view.access === 'suggest'
  return markup`<!doctype html>
    <html lang="en">
      <head>
        ${commonHead(title)} ${view.excerpt && markup`<meta name="description" content="${view.excerpt}" />`}
        <meta property="og:type" content="article" />
        <meta property="og:title" content="${title}" />
        ${view.excerpt && markup`<meta property="og:description" content="${view.excerpt}" />`}
        ${view.assets.styles.map((file) => markup`<link rel="stylesheet" href="${file}" />`)}
        ${view.assets.preload.map((file) => markup`<link rel="modulepreload" href="${file}" />`)}
        <script type="module" src="${view.assets.script}"></script>
      </head>
      <body
        class="share${hasOutline ? ' has-outline' : ''}"
        data-document="${view.documentId}"
        data-token="${view.token}"
        data-permission="${view.access}"
        data-revision="${view.revision}"
        ${hasEditor && view.assets.later.length > 0 && markup` data-later="${view.assets.later.join(' ')}"`}
        ${view.styleNonce !== undefined && markup` data-style-nonce="${view.styleNonce}"`}
      >
        <a class="skip" href="#text">Skip to the text</a>
        <header class="bar">
          <p class="bar-title" dir="auto"><span>${title}</span></p>
          <div class="bar-tools">
            ${
              hasOutline &&
              markup`<button type="button" class="tool brief outline-toggle" popovertarget="outline">
                <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4 5.5h12M6.5 10H16M6.5 14.5H13" /></svg><span>Contents</span>
              </button>`
            }
            <div id="tools" class="bar-tools"></div>
          </div>
        </header>
        <div class="desk">
          ${
            hasOutline &&
            markup`<nav id="outline" class="outline" popover aria-label="Contents">
              <p class="outline-title">Contents</p>
              ${outlineList(outline, view.language)}
            </nav>`
          }
          <main id="text" tabindex="-1">
            <article class="prose" id="article" aria-label="${title}" lang="${view.language ?? ''}">
              ${titleBlock(view.title, view.headings)}
              <p class="facts" lang="en">${facts(view)}</p>
              <noscript><p class="note" lang="en">${withoutScript[view.access]}</p></noscript>
              <div id="content">
                ${view.html.trim() ? trusted(inSections(view.html)) : markup`<p class="empty">Nothing has been written here yet.</p>`}
              </div>
            </article>
          </main>
          <aside id="margin" class="margin" aria-label="Comments"></aside>
        </div>
        <footer class="colophon">
          <p>
            ${view.ownerName ? markup`Shared by <bdi>${view.ownerName}</bdi>. ` : ''}<span id="allows">${linkAllows[view.access]}</span>
          </p>
          <p>
            <a href="${exportLink(view, 'md')}" download>Markdown</a
            ><a href="${exportLink(view, 'html')}" download>Web page</a>
          </p>
        </footer>
        <div id="layer"></div>
      </body>
    </html> `.text
}

const withoutScript: Record<LinkAccess, string> = {
  view: 'You can read everything here. Showing comments needs JavaScript, which is switched off.',
  comment: 'You can read everything here. Commenting needs JavaScript, which is switched off.',
  suggest: 'You can read everything here. Commenting and suggesting need JavaScript, which is switched off.',
  edit: 'You can read everything here. Commenting, suggesting and editing need JavaScript, which is switched off.',
}

const date = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const count = new Intl.NumberFormat('en-GB')

function facts(view: SharePageView): Html {
  const minutes = Math.max(1, Math.round(view.words / 230))
  const words = view.words === 1 ? '1 word' : `${count.format(view.words)} words`
  return markup`<span>${words}</span><span>${count.format(minutes)} min read</span
    ><span>Changed <time datetime="${view.updatedAt}">${date.format(new Date(view.updatedAt))}</time></span>`
}

const exportLink = (view: SharePageView, format: string) =>
  `../api/documents/${encodeURIComponent(view.documentId)}/export?format=${format}&share_token=${encodeURIComponent(view.token)}`

/** The headings as one list; how deep each stands shows by its class. */
function outlineList(headings: readonly PageHeading[], language: string | null): Html {
  const top = Math.min(...headings.map((heading) => heading.level))
  return markup`<ol lang="${language ?? ''}">
    ${headings.map(
      (heading) =>
        markup`<li class="level-${heading.level - top + 1}">
          <a href="#${heading.id}" dir="auto">${heading.text}</a>
        </li>`,
    )}
  </ol>`
}
