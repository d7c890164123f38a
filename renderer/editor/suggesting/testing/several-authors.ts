import { ChangeSet } from '@codemirror/state'
import { Author } from './author.ts'
import { SuggestingServer } from './suggesting-server.ts'

export interface Act {
  kind:
    | 'begin'
    | 'go on'
    | 'replace'
    | 'take back'
    | 'send'
    | 'answer'
    | 'do'
    | 'lose'
    | 'hear'
    | 'ask'
    | 'arrive'
    | 'load'
    | 'reload'
    | 'write'
    | 'write over'
    | 'accept'
    | 'reject'
  who: number
  at: number
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÀÉÈÊÁÓÒÔÍÌÎÚÙÛÇÑÅÆØ'

/** Several who suggest in one text, with answers that come when they are let, and its owner, who decides and writes. */
export class SeveralAuthors {
  readonly server: SuggestingServer
  readonly authors: Author[]
  /** What was typed and not taken back by whoever typed it, a letter each. */
  readonly typed = new Set<string>()
  #count = 0

  constructor(content: string, count: number) {
    this.server = new SuggestingServer(content)
    this.authors = Array.from({ length: count }, (_, i) => this.#author(i))
  }

  #author(index: number): Author {
    const author = new Author(this.server, `author ${index}`)
    author.isHeld = true
    return author
  }

  async act({ kind, who, at }: Act): Promise<void> {
    const index = who % this.authors.length
    const author = this.authors[index]!
    if (kind === 'begin') {
      const place = chosen(places(author.shown), at)
      this.#type((letter) => author.type(place, place, ` ${letter}`))
    } else if (kind === 'go on') this.#type((letter) => author.typeOn(letter))
    else if (kind === 'replace') {
      const word = chosen(plainWords(author.shown), at)
      if (word) this.#type((letter) => author.type(word.from, word.to, letter))
    } else if (kind === 'take back') this.#takeBack(author)
    else if (kind === 'send') void author.suggester.flush().catch(() => undefined)
    else if (kind === 'answer' || kind === 'do' || kind === 'lose') author.answer(kind)
    else if (kind === 'hear') author.hear(1 + (at % 2))
    else if (kind === 'ask') author.askForList()
    else if (kind === 'arrive') author.listArrives()
    else if (kind === 'load') void author.load()
    else if (kind === 'reload') await this.#reload(index)
    else if (kind === 'write') {
      const place = chosen(places(this.server.text), at)
      this.#change(place, place, ' wrote')
    } else if (kind === 'write over') {
      const word = chosen(plainWords(this.server.text), at)
      if (word) this.#change(word.from, word.to, 'other')
    } else {
      const row = chosen(this.server.rows, at)
      if (row && kind === 'accept') this.server.accept(row)
      else if (row) this.server.reject(row)
    }
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }

  #type(type: (letter: string) => boolean | void): void {
    const letter = letters[this.#count]
    if (letter === undefined || type(letter) === false) return
    this.#count++
    this.typed.add(letter)
  }

  #takeBack(author: Author): void {
    const letter = author.takeBack()
    if (letter) this.typed.delete(letter)
  }

  #change(from: number, to: number, insert: string): void {
    this.server.change(ChangeSet.of({ from, to, insert }, this.server.text.length))
  }

  /** The page is loaded anew, once all is sent: what is shown then is what the server has. */
  async #reload(index: number): Promise<void> {
    const before = this.authors[index]!
    await before.letGo()
    before.hear()
    await before.rest().catch(() => undefined)
    await before.suggester.end()
    const after = (this.authors[index] = this.#author(index))
    await after.load()
  }

  /** All is answered, and everybody hears of all. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      for (const author of this.authors) {
        await author.letGo()
        author.hear()
        await author.rest().catch(() => undefined)
      }
    }
  }

  async end(): Promise<void> {
    for (const author of this.authors) await author.suggester.end()
  }
}

const chosen = <One>(all: readonly One[], at: number): One => all[at % all.length]!

/** Where words end. */
const places = (text: string) => [...text.matchAll(/(?<=\p{L})(?= )|\.$/gu)].map(({ index }) => index)

const plainWords = (text: string) =>
  [...text.matchAll(/\p{L}+/gu)]
    .filter(([word]) => /^[a-z]+$/.test(word))
    .map(({ 0: word, index }) => ({ from: index, to: index + word.length }))
