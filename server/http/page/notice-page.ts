import { commonHead, styleElement } from './head.ts'
import { deadLinkHeaders, plainHeaders } from './headers.ts'
import { markup, type Html } from './markup.ts'
import type { ShareAssets } from './share-page.ts'

/**
 * What every link that opens nothing leads to: unknown, mistyped, expired and revoked ones look exactly alike,
 * so the page tells nobody whether there ever was a document. Its script shows what was written in this browser and
 * could no longer be delivered.
 */
export const deadLinkPage = (words?: ShareAssets): string =>
  noticePage(
    'This link doesn’t open anything',
    markup`<p>It may have expired, or been withdrawn, or a piece of it was lost when it was copied.</p>
      <p>
        Check that you have the whole address. If it still doesn’t open, ask the person who sent it to you for
        a new link.
      </p>`,
    words && undelivered(words),
  )

/** For a good link whose document has been put away; it may come back, and what waits in this browser with it. */
export const unavailablePage = (words?: ShareAssets): string =>
  noticePage(
    'This document is not available',
    markup`<p>The person who shared it has put it away. If they bring it back, this link opens it again.</p>`,
    words && undelivered(words),
  )

const undelivered = (words: ShareAssets) =>
  markup`${words.preload.map((file) => markup`<link rel="modulepreload" href="${file}" />`)}
    <script type="module" src="${words.script}"></script>`

/** Something failed on this side; what failed is for the log. */
export const errorPage = (): string =>
  noticePage(
    'Something went wrong here',
    markup`<p>The page couldn’t be put together just now. Nothing of the document is lost.</p>
      <p>Please try again in a moment.</p>`,
  )

/** Asked for under a name that isn’t served here, or not just now; the same whatever the link is. */
export const unknownAddressPage = (): string =>
  noticePage(
    'Nothing is shared at this address just now',
    markup`<p>The computer that answers here doesn’t go by this name at the moment. That may be over soon.</p>
      <p>Please try again in a moment.</p>`,
  )

/** Too many attempts from one place. */
export function rateLimitedPage(seconds: number): string {
  const wait = Math.max(1, Math.ceil(seconds))
  return noticePage(
    'One moment, please',
    markup`<p>There were too many attempts from where you are.</p>
      <p>Wait ${wait === 1 ? 'a second' : `${wait} seconds`}, then open the link again.</p>`,
  )
}

const style = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:2rem max(1.5rem,env(safe-area-inset-left));background:light-dark(#f5f3ee,#111214);color:light-dark(#1f1d19,#e8e5de);font:1.125rem/1.6 Charter,'Bitstream Charter','Sitka Text',Cambria,'Noto Serif',Georgia,serif}
main{max-width:30rem;padding:clamp(1.75rem,6vw,3rem);border-radius:14px;background:light-dark(#fdfcf9,#17181b);border:1px solid light-dark(#e4e0d6,#2c2f35);box-shadow:0 8px 28px light-dark(rgb(60 50 30/.08),rgb(0 0 0/.4))}
svg{display:block;width:3rem;height:3rem;margin:0 0 1.5rem;color:light-dark(#8d877a,#8d8c86)}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;font-weight:600;text-wrap:balance}
p{margin:0 0 .75rem;color:light-dark(#5b564b,#a9a79f);text-wrap:pretty}
p:last-child{margin:0}
body:has(.words){place-items:start center}
.words{margin:2rem 0 0;padding:1.5rem 0 0;border-top:1px solid light-dark(#e4e0d6,#2c2f35)}
.words h2{margin:0 0 .5rem;font-size:1.125rem;line-height:1.3}
.words ul{margin:1rem 0 0;padding:0;list-style:none}
.words li{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid light-dark(#e4e0d6,#2c2f35);border-radius:8px;overflow-wrap:anywhere}
.words q{display:block;margin:0 0 .5rem;padding:0 0 0 .75rem;border-inline-start:3px solid light-dark(#f5cf75,#8a6a1f);color:light-dark(#5b564b,#a9a79f);font-size:1rem;quotes:none}
.words .body{max-height:24rem;overflow:auto;color:inherit;white-space:pre-wrap}
.words .actions{display:flex;flex-wrap:wrap;gap:.5rem;margin:.75rem 0 0;font-family:system-ui,sans-serif}
.words button{min-height:2.75rem;padding:0 1rem;border:1px solid light-dark(#8d877a,#71767f);border-radius:8px;background:none;color:inherit;font:inherit;font-size:1rem;cursor:pointer}
.words button:hover{background:light-dark(#efece5,#26292e)}
.words :focus-visible{outline:2px solid light-dark(#2b55c8,#8fb0ff);outline-offset:2px}`

/** Headers that go with these pages. */
export const noticeHeaders = plainHeaders(style)

export const headersOfDeadLink = deadLinkHeaders(style)

const noticePage = (title: string, body: Html, head?: Html): string =>
  markup`<!doctype html>
    <html lang="en">
      <head>
        ${commonHead(title)}
        ${styleElement(style)} ${head ?? false}
      </head>
      <body>
        <main>
          <svg
            viewBox="0 0 48 48"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
          >
            <path d="M10 5h19l9 9v29H10z" />
            <path d="M29 5v9h9" />
            <path d="M17 22h14M17 28h6M17 34h14" stroke-dasharray="2 4" />
          </svg>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text
