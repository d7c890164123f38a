import { ChangeSet } from '@codemirror/state'
import { Author } from './author.ts'
import { SuggestingServer } from './suggesting-server.ts'

/** Somebody who suggests in a text in which others write, and the server of both, of which all is heard at once. */
export class AuthorAndServer extends Author {
  constructor(content: string) {
    super(new SuggestingServer(content), 'author')
  }

  /** Another changes the document. */
  others(from: number, to: number, insert: string): void {
    this.server.change(ChangeSet.of({ from, to, insert }, this.server.text.length))
    this.hear()
  }

  /** The owner accepts one of those that are pending, whoever suggests it. */
  accept(at: number): void {
    const { rows } = this.server
    if (rows.length > 0) this.server.accept(rows[at % rows.length]!)
    this.hear()
  }

  /** The text once all of its author’s is accepted. */
  get accepted(): string {
    return this.server.acceptedOf(this.name)
  }
}
