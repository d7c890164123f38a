// The built server on a data folder of its own, with what its owner may do, for specs about those who get a link.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runGalley, startGalley } from './galley-process.ts'

export interface GalleyServer {
  url: string
  shareUrl: string
  /** Works once: it is used where calls are made by a session. */
  signInLink: string
  /** A call as the signed-in owner; answers `data`, and throws the error’s code. */
  call<Data = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Data>
  createDocument(content: string, title?: string): Promise<{ id: string }>
  /** A new share link: its token, id and address. By one to “suggest” nobody changes the text itself. */
  share(documentId: string, permission: string): Promise<{ token: string; id: string; address: string }>
  /** It neither answers nor refuses anything, and goes on. */
  sleep(): void
  wake(): void
  stop(): Promise<void>
}

/** Whether calls are made by a session or, so that a browser can use the one sign-in link there is, by a key. */
export async function startGalleyServer(by: 'session' | 'key' = 'session'): Promise<GalleyServer> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'galley-e2e-'))
  const server = await startGalley(data)
  const { url, shareUrl, signInLink } = server
  const credential =
    by === 'key'
      ? { authorization: `Bearer ${runGalley(data, 'key', 'create', '--name', 'e2e').stdout.trim()}` }
      : { cookie: await signIn(url, signInLink) }

  const call: GalleyServer['call'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...credential, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const envelope = (await response.json()) as { data: never; error: { code: string } | null }
    if (envelope.error) throw new Error(envelope.error.code)
    return envelope.data
  }

  return {
    url,
    shareUrl,
    signInLink,
    call,
    createDocument: (content, title = 'On proofs') => call('POST', '/api/documents', { title, content }),
    async share(documentId, permission) {
      const link = await call<{ token: string; id: string }>('POST', `/api/documents/${documentId}/share`, {
        ...(permission === 'suggest' ? { permission: 'edit', suggest_only: true } : { permission }),
      })
      return { token: link.token, id: link.id, address: `${shareUrl}/share/${link.token}` }
    },
    sleep: () => server.sleep(),
    wake: () => server.wake(),
    async stop() {
      await server.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function signIn(url: string, link: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket: link.split('#')[1] }),
  })
  return response.headers.get('set-cookie')!.split(';')[0]!
}
