// The built server on a data folder of its own, with what its owner may do, for specs about those who get a link.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startGalley } from './galley-process.ts'

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
  const server = await startGalley(data)
  const { url, shareUrl } = server

  const signedIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket: server.signInLink.split('#')[1] }),
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
      await server.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
