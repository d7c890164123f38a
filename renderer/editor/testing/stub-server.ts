import { ChangeSet } from '@codemirror/state'
import { ApiError, type ApiClient } from '../../api/client.ts'
import type { PushedChange, Update, Updates } from '../../../server/contract/records/changes.ts'
import type { Document } from '../../../server/contract/records/documents.ts'
import {
  applyChanges,
  changesFromJson,
  changesToJson,
  isSameChange,
} from '../../../server/domain/change-set.ts'
import { contentHash } from '../../../server/domain/content-hash.ts'
import { textDiff } from '../../../server/domain/diff/index.ts'
import { rebase } from '../../../server/domain/rebase.ts'
import { textOf } from '../../../server/domain/shared-text.ts'

export type ServerTrouble =
  | 'slow'
  | 'offline'
  | 'timed out'
  | 'fault'
  | 'lost answer'
  | 'signed out'
  | 'deleted'
  | 'forbidden'
  | 'too long'
  | 'unfit'
  | 'too much'
  | 'disk full'

const at = '2026-01-01T00:00:00.000Z'

/** A server with one document, which keeps the interface’s rules about revisions and changes. */
export class StubServer {
  document: Document
  readonly troubles: ServerTrouble[] = []
  /** What was asked of it that would change something. */
  readonly requests: { name: string; body: Record<string, unknown>; keepalive: boolean }[] = []
  /** What else is asked of it. */
  readonly answers: Record<string, () => unknown> = {}
  /** No call comes through. */
  away = false
  /** Called once, while the next change is on its way. */
  meanwhile: () => void = () => {}
  #log: { update: Update; client: string; number: number }[] = []
  /** The oldest revision that changes are told from. */
  #from = 1

  constructor(content: string, title = 'T') {
    this.document = { id: 'd', owner_id: 'o', title, content, revision: 1, created_at: at, updated_at: at }
  }

  readonly api = {
    url: () => '',
    call: (
      name: string,
      options: { body?: Record<string, unknown>; query?: Record<string, unknown>; keepalive?: boolean },
    ) => this.#call(name, options),
  } as unknown as ApiClient

  /** As somebody else changes it. */
  change(change: { content?: string; title?: string }): void {
    const { content } = this.document
    const after = change.content ?? content
    const changes = ChangeSet.of(
      textDiff(content, after).map(({ fromA, toA, fromB, toB }) => ({
        from: fromA,
        to: toA,
        insert: textOf(after.slice(fromB, toB)),
      })),
      content.length,
    )
    this.#append(changes, '', 0)
    if (change.title !== undefined) this.document = { ...this.document, title: change.title }
  }

  /** Forgets how the text has come to be what it is. */
  forget(): void {
    this.#from = this.document.revision
  }

  changesSince(since: number, client?: string): Updates {
    const { revision, title, updated_at } = this.document
    if (since < this.#from || since > revision)
      throw new ApiError('PRECONDITION_FAILED', 412, 'too far apart', this.document)
    const updates = this.#log
      .filter(({ update }) => update.revision > since)
      .map(({ update, client: by, number }) =>
        by === client ? { ...update, changes: null, number } : update,
      )
    return { revision, title, updated_at, updates }
  }

  async #call(
    name: string,
    {
      body = {},
      query = {},
      keepalive = false,
    }: { body?: Record<string, unknown>; query?: Record<string, unknown>; keepalive?: boolean },
  ): Promise<unknown> {
    if (this.away) throw new ApiError('OFFLINE', 0, 'no')
    if (name === 'getDocument') return this.document
    if (name in this.answers) return this.answers[name]!()
    if (name === 'listChanges') return this.changesSince(Number(query['since']), String(query['client']))
    this.requests.push({ name, body, keepalive })
    await Promise.resolve()
    const { meanwhile } = this
    this.meanwhile = () => {}
    meanwhile()
    const trouble = this.troubles.shift()
    if (trouble === 'slow') await new Promise((done) => setTimeout(done, 3000))
    if (trouble === 'timed out') await new Promise((done) => setTimeout(done, 12_000))
    if (trouble === 'offline' || trouble === 'timed out') throw new ApiError('OFFLINE', 0, 'no')
    if (trouble === 'fault') throw new ApiError('INTERNAL_ERROR', 500, 'no')
    if (trouble === 'signed out') throw new ApiError('UNAUTHORIZED', 401, 'Unauthorized')
    if (trouble === 'deleted') throw new ApiError('NOT_FOUND', 404, 'Document not found')
    if (trouble === 'forbidden') throw new ApiError('FORBIDDEN', 403, 'no')
    if (trouble === 'too much') throw new ApiError('RATE_LIMITED', 429, 'Too much at once.', null, 60)
    if (trouble === 'disk full') throw new ApiError('STORAGE_FULL', 507, 'no')
    if (trouble === 'unfit') throw new ApiError('VALIDATION_ERROR', 400, 'This can’t be stored.')
    if (trouble === 'too long')
      throw new ApiError('PAYLOAD_TOO_LARGE', 413, 'It is too long; nothing was changed.')
    const answer = name === 'updateDocument' ? this.#rename(body) : this.#push(body)
    if (trouble === 'lost answer') throw new ApiError('OFFLINE', 0, 'no')
    return answer
  }

  #rename({ title, base_title: base = this.document.title }: Record<string, unknown>): Document {
    if (base !== this.document.title)
      throw new ApiError('PRECONDITION_FAILED', 412, 'another title', this.document)
    this.change({ title: String(title) })
    return this.document
  }

  #push(body: Record<string, unknown>): Updates {
    const { base, client, number, changes, goes_on: goesOn = false } = body as PushedChange
    if (JSON.stringify(changes).includes('\\ud'))
      throw new ApiError('VALIDATION_ERROR', 400, 'Half a character.')
    const since = this.changesSince(base).updates
    const made = this.#log.find((one) => one.client === client && one.number === number)?.update
    let ours = changesFromJson(changes)
    for (const one of since) {
      if (one.revision === made?.revision) break
      ours = rebase([{ changes: ours, goesOn }], ChangeSet.fromJSON(one.changes)).ours[0]!
    }
    if (!made) this.#append(ours, client, number)
    else if (made.revision <= base || !isSameChange(ours, ChangeSet.fromJSON(made.changes)))
      throw new ApiError('VALIDATION_ERROR', 400, 'another change')
    return this.changesSince(base, client)
  }

  #append(changes: ChangeSet, client: string, number: number): void {
    const content = applyChanges(this.document.content, changes)
    const revision = this.document.revision + 1
    this.document = { ...this.document, content, revision }
    const update: Update = {
      revision,
      number: null,
      changes: changesToJson(changes),
      length: content.length,
      hash: contentHash(content),
      ...{ author: 'Somebody', author_kind: 'person', key_name: null },
    }
    this.#log.push({ update, client, number })
  }
}
