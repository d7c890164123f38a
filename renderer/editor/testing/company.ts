import type { ChangeSet } from '@codemirror/state'
import { EditorState, type Extension, type Transaction, type TransactionSpec } from '@codemirror/state'
import { isolateHistory } from '@codemirror/commands'
import type { Update } from '../../../server/contract/records/changes.ts'
import type { Document } from '../../../server/contract/records/documents.ts'
import { changesToJson } from '../../../server/domain/change-set.ts'
import { contentHash } from '../../../server/domain/content-hash.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { rebase } from '../../../server/domain/rebase.ts'
import { textOf } from '../../../server/domain/shared-text.ts'
import type { Editor } from '../editor.ts'
import { OpenDocument } from '../open-document.svelte.ts'
import { ownStepOf } from '../own-steps.ts'
import { metHere, ownHistory, redoOwn, undoOwn } from '../own-undo.ts'

const facts: Omit<Document, 'content' | 'revision'> = {
  ...{ id: 'd', owner_id: 'o', title: 'T', created_at: '', updated_at: '', permission: 'edit' },
}

/** Several who write in one text, each with an editor’s state, and a server that has one log of what they send. */
export class TestCompany {
  content: string
  readonly writers: CompanyWriter[]
  readonly log: { changes: ChangeSet; by: CompanyWriter; number: number; content: string }[] = []

  /** @param more what their editors have besides */
  constructor(content: string, count: number, more: Extension = []) {
    this.content = content
    this.writers = Array.from({ length: count }, () => new CompanyWriter(this, content, more))
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
  }
}

export class CompanyWriter {
  state: EditorState
  readonly open: OpenDocument
  readonly #company: TestCompany

  constructor(company: TestCompany, content: string, more: Extension) {
    this.#company = company
    this.open = new OpenDocument({
      document: { ...facts, content, revision: 1 },
      load: () => Promise.reject(new Error('the text is another here')),
      arrive: (bring) => bring(),
      onAnew: () => {},
      onNotice: ({ kind }) => {
        throw new Error(kind)
      },
    })
    this.state = EditorState.create({ doc: toLf(content), extensions: [ownHistory(() => {}), more] })
    const apply: Editor['apply'] = (changes, met = {}) => {
      this.state = this.state.update({ changes, ...metHere(this.state, changes, met) }).state
    }
    this.open.text.attach({ apply, documentText: () => this.text } as Editor)
  }

  get text(): string {
    return this.state.doc.toString()
  }

  do(spec: TransactionSpec): void {
    this.take(this.state.update(spec))
  }

  /** Writes letters one after the other in the place of words, as keys do it. */
  typeOver(words: string, letters: string): void {
    const from = this.text.indexOf(words)
    this.replace(from, from + words.length, letters)
  }

  typeAfter(words: string, letters: string): void {
    const at = this.text.indexOf(words) + words.length
    this.replace(at, at, letters)
  }

  replace(from: number, to: number, letters: string): void {
    const [first = '', ...rest] = letters
    const put = (at: number, end: number, insert: string) =>
      this.do({
        changes: { from: at, to: end, insert },
        selection: { anchor: at + insert.length },
        userEvent: insert === '' ? 'delete.selection' : 'input.type',
      })
    // A step of its own.
    this.do({ annotations: isolateHistory.of('full') })
    put(from, to, first)
    for (const [i, letter] of rest.entries()) put(from + 1 + i, from + 1 + i, letter)
  }

  undo(): boolean {
    return undoOwn({ state: this.state, dispatch: (transaction) => this.take(transaction) })
  }

  redo(): boolean {
    return redoOwn({ state: this.state, dispatch: (transaction) => this.take(transaction) })
  }

  push(): void {
    const { log } = this.#company
    const sent = this.open.text.outgoing()
    if (!sent || log.some(({ by, number }) => by === this && number === sent.number)) return
    let ours = sent.changes
    for (const { changes } of log.slice(sent.base - 1))
      ours = rebase([{ changes: ours, goesOn: sent.goesOn }], changes).ours[0]!
    this.#company.content = ours.apply(textOf(this.#company.content)).toString()
    log.push({ changes: ours, by: this, number: sent.number, content: this.#company.content })
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

  take(transaction: Transaction): void {
    this.state = transaction.state
    if (transaction.docChanged) this.open.text.typed(transaction.changes, ownStepOf([transaction]))
  }
}
