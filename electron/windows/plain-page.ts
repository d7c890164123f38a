export const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!,
  )

const style = `
  :root { color-scheme: light dark; --desk: light-dark(#f5f3ee, #111214); --ink: light-dark(#1f1d19, #e8e5de);
    --ink-soft: light-dark(#5b564b, #a9a79f); --line: light-dark(#8d877a, #71767f);
    --accent: light-dark(#2b55c8, #8fb0ff); --on-accent: light-dark(#ffffff, #0d1220) }
  body { margin: 0; padding: 2rem; background: var(--desk); color: var(--ink); font: 15px/1.55 system-ui, sans-serif }
  h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3 }
  p { margin: 0 0 .75rem; overflow-wrap: anywhere }
  details { margin: 1rem 0; color: var(--ink-soft); font-size: 13px; overflow-wrap: anywhere }
  footer { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.5rem }
  button { padding: .5rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: transparent;
    color: inherit; font: inherit }
  button:hover { border-color: var(--ink-soft) }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  progress { width: 100%; max-width: 28rem; accent-color: var(--accent) }
  button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
`

/** A page of the main process's own, for as long as there is no server. It loads nothing and runs nothing. */
export const plainPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>`

/** The page as an address that a window can load. */
export const plainPageUrl = (html: string): string =>
  `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`
