import type { DocumentFonts } from './assets.ts'
import { letOthers, partsOf } from '../slices.ts'
import { commonHead, styleElement } from './head.ts'
import { markup, trusted, type Html } from './markup.ts'
import { shownTitle, titleBlock } from './title.ts'

/** A document as a page of its own, without any script. */
export interface DocumentPageView {
  title: string
  /** Sanitised, from the renderer. */
  html: string
  headings: readonly { level: number; text: string }[]
  /** Of the text; null where it can’t be told. */
  language: string | null
  /** Galley's style sheet for documents, written into the page. */
  style: string
  fonts: DocumentFonts
  /** Without one the page follows the reader's system. */
  theme?: 'light' | 'dark' | undefined
  /** Of the text, for who looks into the page to mark its words. */
  revision?: number
}

/** The face of a text as rules that hold its files. Which of them it needs takes reading all of it. */
export async function exportFace({
  title,
  html,
  fonts,
}: Pick<DocumentPageView, 'title' | 'html' | 'fonts'>): Promise<string> {
  const reader = fonts.text.reader()
  reader.read(escaped(title))
  for (const part of partsOf(html)) {
    reader.read(part)
    await letOthers()
  }
  return reader.embedded()
}

/**
 * An HTML file that holds all it needs, for reading or printing anywhere. It asks nobody for anything.
 * @param view with its text's face, as `exportFace` tells it
 */
export function exportPage(view: DocumentPageView & { face: string; more?: Html | false }): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
  return documentPage(
    view,
    markup`<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}" />
        ${styleElement(view.face)}`,
    titleBlock(view.title, view.headings),
    view.more,
  )
}

/** What the owner's reading view shows inside a frame without scripts. The app around it shows the title. */
export function previewPage(view: DocumentPageView): string {
  return documentPage(view, fontsLink(view), false)
}

/** What is printed, and what a PDF is made of: the whole document, and nothing around it. */
export function printPage(view: Omit<DocumentPageView, 'theme'>): string {
  const { text, code } = view.fonts
  const hasCode = /<(?:code|pre|kbd|samp|tt)\b/.test(view.html)
  // Before it is printed it has all that it is set in.
  const files = [
    ...text.needed(`${escaped(view.title)}${view.html}`).map(({ file }) => file),
    ...(hasCode ? code : []),
  ]
  return documentPage(
    view,
    markup`${files.map((file) => markup`<link rel="preload" as="font" type="font/woff2" crossorigin href="/share/${file}" />`)}
        ${fontsLink(view)}`,
    titleBlock(view.title, view.headings),
  )
}

/** Of the text’s signs and nothing else: a title that holds a tag has no tag. */
const escaped = (title: string) => title.replaceAll('<', '')

const fontsLink = ({ fonts }: Pick<DocumentPageView, 'fonts'>) =>
  markup`<link rel="stylesheet" href="/share/${fonts.style}" />`

function documentPage(
  view: DocumentPageView,
  head: Html | false,
  title: Html | false,
  moreStyle: Html | false = false,
): string {
  return markup`<!doctype html>
    <html lang="${view.language ?? 'en'}"${view.theme ? markup` data-theme="${view.theme}"` : false}${view.revision === undefined ? false : markup` data-revision="${view.revision}"`}>
      <head>
        ${commonHead(shownTitle(view.title))} ${head}
        ${styleElement(view.style)} ${moreStyle}
      </head>
      <body class="sheet">
        <main>
          <article class="prose" lang="${view.language ?? ''}">
            ${title}
            ${view.html.trim() ? trusted(view.html) : markup`<p class="empty">Nothing has been written here yet.</p>`}
          </article>
        </main>
      </body>
    </html> `.text
}
