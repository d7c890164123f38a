// What a server would find on the Internet, on this machine instead: names lead to ports of it, without certificates,
// and ngrok's package is a fake. Loaded into the server before its own code by `--import`.
import http from 'node:http'
import { registerHooks } from 'node:module'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Internet } from './internet.ts'

const now = () => JSON.parse(readFileSync(process.env.GALLEY_E2E_INTERNET!, 'utf8')) as Internet

const straight = globalThis.fetch
globalThis.fetch = (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (['localhost', '127.0.0.1'].includes(url.hostname)) return straight(input, init)
  const known = Object.entries(now().ports).find(([name]) => `.${url.hostname}`.endsWith(`.${name}`))
  if (!known) return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }))
  return new Promise((resolve, reject) => {
    const asked = http.get({
      host: '127.0.0.1',
      port: known[1],
      path: url.pathname + url.search,
      headers: { ...(init.headers as Record<string, string> | undefined), host: url.host },
      ...(init.signal ? { signal: init.signal } : {}),
    })
    asked.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    asked.on('response', (answer) =>
      resolve(new Response(Readable.toWeb(answer) as ReadableStream, { status: answer.statusCode! })),
    )
  })
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== '@ngrok/ngrok') return next(specifier, context)
    if (now().ngrok.installed) return { url: import.meta.resolve('./fake-ngrok.ts'), shortCircuit: true }
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
  },
})
