// The built server on a data folder of its own, with what its owner may do, for specs about those who get a link.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

export interface GalleyServer {
  url: string
  shareUrl: string
  /** A call as the signed-in owner; answers `data`, and throws the error’s code. */
  call<Data = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Data>
  createDocument(content: string, title?: string): Promise<{ id: string }>
  /** A new share link: its token, id and address. */
  share(documentId: string, permission: string): Promise<{ token: string; id: string; address: string }>
  stop(): Promise<void>
}

export async function startGalleyServer(): Promise<GalleyServer> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'galley-e2e-'))
  const built = path.join(root, 'out/server/cli.mjs')
  const program = existsSync(built) ? built : path.join(root, 'server/cli.ts')
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--share-port', '0', '--data', data],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const printed = await untilReady(child)
  const find = (pattern: RegExp) => pattern.exec(printed)![1]!
  const url = find(/ready at (\S+)/)
  const shareUrl = find(/start with (\S+)\/share\//)

  const signedIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket: find(/sign-in#(\w+)/) }),
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!

  const call: GalleyServer['call'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const envelope = (await response.json()) as { data: never; error: { code: string } | null }
    if (envelope.error) throw new Error(envelope.error.code)
    return envelope.data
  }

  return {
    url,
    shareUrl,
    call,
    createDocument: (content, title = 'On proofs') => call('POST', '/api/documents', { title, content }),
    async share(documentId, permission) {
      const link = await call<{ token: string; id: string }>('POST', `/api/documents/${documentId}/share`, {
        permission,
      })
      return { token: link.token, id: link.id, address: `${shareUrl}/share/${link.token}` }
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (/sign-in#\w+/.test(printed) && /start with \S+\/share\//.test(printed)) resolve(printed)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code} before it was ready`)))
  })
}
