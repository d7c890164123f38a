// What tests of change sets share: a Galley of its own for each test, and editors of its documents.
import { ChangeSet } from '@codemirror/state'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Updates } from '../contract/records/changes.ts'
import type { Document } from '../contract/records/documents.ts'
import { pushedBy } from '../domain/outgoing-change.ts'
import { SharedText, textOf } from '../domain/shared-text.ts'
import { inOneGo } from '../domain/testing/in-one-go.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from './galley.ts'

export let galley: TestGalley

/** Each test of a file has a Galley of its own. */
export function useChanges() {
  beforeEach(async () => {
    galley = await createTestGalley()
  })
  afterEach(() => galley.close())
}

export const first = 'A galley goes out.\n'
export const read = async (id: string) =>
  (await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })).data as Document
const change = (length: number, from: number, to: number, insert = '') =>
  ChangeSet.of({ from, to, insert: textOf(insert) }, length)

let clients = 0
/** An editor as far as the server sees it. */
class Editor {
  readonly client = `client-${String(clients++).padStart(16, '0')}`
  readonly id: string
  readonly as: TestCredentials
  readonly text: SharedText
  /** As it is shown. */
  shown: string

  constructor({ id, revision, content }: Document, as: TestCredentials) {
    this.id = id
    this.as = as
    this.text = new SharedText({ revision, content })
    this.shown = content
  }

  type(from: number, to: number, insert = '') {
    const changes = change(this.shown.length, from, to, insert)
    this.text.change(changes)
    this.shown = this.shown.slice(0, from) + insert + this.shown.slice(to)
  }

  /** Sends what waits; without `hears`, the answer gets lost. */
  async push(hears = true, over: Record<string, unknown> = {}) {
    const outgoing = this.text.outgoing()
    if (!outgoing) return undefined
    const answer = await galley.call('POST', `/api/documents/${this.id}/changes`, {
      as: this.as,
      json: { ...pushedBy(this.client, outgoing), ...over },
    })
    if (hears && answer.status === 200) {
      this.hear(answer.data as Updates)
      this.text.answered(outgoing)
    }
    return answer
  }

  async pull() {
    const query = `since=${this.text.revision}&client=${this.client}`
    const answer = await galley.call('GET', `/api/documents/${this.id}/changes?${query}`, { as: this.as })
    if (answer.status === 200) this.hear(answer.data as Updates)
    return answer
  }

  hear({ updates }: Updates) {
    for (const changes of this.text.receive(updates)) {
      let next = ''
      let at = 0
      changes.iterChanges((from, to, _fromB, _toB, inserted) => {
        next += this.shown.slice(at, from) + inserted.toString()
        at = to
      })
      this.shown = next + this.shown.slice(at)
    }
    expect(this.shown).toBe(this.text.current.toString())
    expect(inOneGo(this.text.compared())).toBe(true)
  }
}

export const editor = async (id: string, as: TestCredentials = galley.as.owner) =>
  new Editor(await read(id), as)
