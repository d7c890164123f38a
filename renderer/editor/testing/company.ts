import type { ChangeSet, Extension } from '@codemirror/state'
import type { AlikeWords, ToldSteps, Update } from '../../../server/contract/records/changes.ts'
import type { Document } from '../../../server/contract/records/documents.ts'
import { changesToJson } from '../../../server/domain/change-set.ts'
import { contentHash } from '../../../server/domain/content-hash.ts'
import { areNone, broughtOver } from '../../../server/domain/told-steps.ts'
import { textOf } from '../../../server/domain/shared-text.ts'
import { followAlike } from '../../../server/domain/told-alike.ts'
import { OpenDocument } from '../open-document.svelte.ts'
import { woven } from '../weave/history.ts'
import { Hand } from './hand.ts'

const facts: Omit<Document, 'content' | 'revision'> = {
  ...{ id: 'd', owner_id: 'o', title: 'T', created_at: '', updated_at: '', permission: 'edit' },
}

/** Several who write in one text, each with an editor’s state, and a server that has one log of what they send. */
export class TestCompany {
  content: string
  readonly writers: CompanyWriter[]
  readonly log: {
    changes: ChangeSet
    by: CompanyWriter
    number: number
    content: string
    alike: AlikeWords[]
    steps: ToldSteps | undefined
  }[] = []

  /** @param more what their editors have besides */
  constructor(content: string, count: number, more: Extension = []) {
    this.content = content
    this.writers = Array.from({ length: count }, () => new CompanyWriter(this, content, more))
    for (const [i, writer] of this.writers.entries()) writer.number = i + 1
  }

  document(): Document {
    return { ...facts, content: this.content, revision: this.log.length + 1 }
  }

  since(revision: number, by: CompanyWriter): Update[] {
    return this.log.slice(revision - 1).map((one, i) => ({
      revision: revision + i + 1,
      number: one.by === by ? one.number : null,
      changes: one.by === by ? null : changesToJson(one.changes),
      length: one.content.length,
      hash: contentHash(one.content),
      alike: one.alike,
      ...(one.steps ? { steps: one.steps } : {}),
      ...{ author: null, author_kind: null, key_name: null },
    }))
  }

  /** Until all have all. */
  settle(): void {
    for (let round = 0; round < 3; round++)
      for (const writer of this.writers) {
        writer.hear()
        writer.push()
      }
    for (const writer of this.writers) writer.hear()
    if (this.writers.some(({ isAnew }) => isAnew)) throw new Error('undo has begun anew')
  }
}

export class CompanyWriter extends Hand {
  readonly open: OpenDocument
  number = 0
  readonly #company: TestCompany

  constructor(company: TestCompany, content: string, more: Extension) {
    const open = new OpenDocument({
      document: { ...facts, content, revision: 1 },
      load: () => Promise.reject(new Error('the text is another here')),
      arrive: (bring) => bring(),
      onAnew: () => {},
      onNotice: ({ kind }) => {
        throw new Error(kind)
      },
    })
    super(open.text, more)
    this.open = open
    this.#company = company
  }

  push(): void {
    const { log } = this.#company
    const sent = this.open.text.outgoing()
    if (!sent || log.some(({ by, number }) => by === this && number === sent.number)) return
    const since = log.slice(sent.base - 1).map(({ changes }) => changes)
    const { ours, put, taken } = broughtOver(sent, since)
    const steps = areNone(sent.steps) ? undefined : { ...sent.steps, put, taken, writer: this.number }
    this.#company.content = ours.apply(textOf(this.#company.content)).toString()
    log.push({
      changes: ours,
      by: this,
      number: sent.number,
      content: this.#company.content,
      alike: followAlike(sent.alike, [...since, ours]),
      steps,
    })
  }

  /** Whether undo had to begin anew, which nobody’s changes are to lead to. */
  get isAnew(): boolean {
    return this.state.field(woven).isAnew
  }

  /** What the server has is told, or only so much of it. */
  hear(most = Infinity): void {
    this.open.receive(this.#told(most))
  }

  /** The same after an absence. */
  comeBack(): void {
    this.open.rejoin(this.#told(Infinity))
  }

  /** The same after one that was too long to be told of. */
  comeBackLate(): void {
    this.open.merge(this.#company.document())
  }

  #told(most: number) {
    const updates = this.#company.since(this.open.text.revision, this).slice(0, most)
    const revision = updates.at(-1)?.revision ?? this.open.text.revision
    return { revision, title: 'T', updated_at: '', updates }
  }
}
