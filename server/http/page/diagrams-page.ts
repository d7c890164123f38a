import { markup } from './markup.ts'

/** What draws diagrams, out of sight, in a frame of a page that shows some. */
export const diagramsPage = (script: string): string =>
  markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Diagrams</title>
        <script type="module" src="${script}"></script>
      </head>
      <body></body>
    </html> `.text
