import { markup, trusted, type Html } from './markup.ts'

// The mark is in the page itself, or browsers would ask for /favicon.ico.
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%232b55c8'/%3E%3Cpath d='M9 8h14M9 13h14M9 18h9' stroke='%23fff' stroke-width='2.4' stroke-linecap='round'/%3E%3Cpath d='m16 25 7.5-7.5 2.5 2.5-7.5 7.5H16z' fill='%23f5cf75'/%3E%3C/svg%3E"

/** What the head of each of Galley's own pages holds. */
export const commonHead = (title: string): Html =>
  markup` <meta charset="utf-8" />
    <meta
      name="viewport"
      content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
    />
    <title>${title}</title>
    <meta name="robots" content="noindex, nofollow, noarchive" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#fdfcf9" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#17181b" media="(prefers-color-scheme: dark)" />
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
    <link rel="icon" href="${trusted(icon)}" />`

/** A style sheet written into a page, to the letter: the page's policy names it by its digest. */
export const styleElement = (style: string): Html => trusted(`<style>${style}</style>`)
