import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { build } from 'vite'

const page = `<!doctype html><meta charset="utf-8"><title>Bare CodeMirror</title>
<style>
html, body { height: 100%; margin: 0 }
.cm-editor { height: 100% }
.cm-scroller { font: 18px/1.65 serif !important }
.cm-content { max-width: 42rem; margin: 0 auto }
</style>
<script type="module" src="/editor.js"></script>`

/** A server of a page with nothing but CodeMirror, which shows the text that is named behind the `#`. */
export async function serveBarePage(texts: Record<string, string>): Promise<{ url: string; stop(): void }> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'baseline-widely-available',
      lib: { entry: path.join(import.meta.dirname, 'bare-editor.ts'), formats: ['es'], fileName: 'editor' },
    },
  })
  const [{ output }] = built as { output: { code: string }[] }[] as [{ output: [{ code: string }] }]
  const server = createServer(({ url = '/' }, response) => {
    const answer = (type: string, body: string) => response.setHeader('content-type', type).end(body)
    if (url === '/editor.js') answer('text/javascript', output[0].code)
    else if (url.startsWith('/texts/')) answer('text/plain; charset=utf-8', texts[url.slice(7)] ?? '')
    else answer('text/html', page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => void server.close(),
  }
}
