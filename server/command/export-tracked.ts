import { existsSync } from 'node:fs'
import path from 'node:path'
import { readDocument } from '../actions/documents.ts'
import type { UserRow } from '../store/users.ts'
import type { CommandChannel } from './channel.ts'
import { isUnreadable, nameOfDamaged, whatHelps } from './unreadable.ts'
import { counted } from './command.ts'
import { FilesBack } from './files-back.ts'
import type { FilesBeside } from './files-beside.ts'
import { hashOf, type ImportMemory, type RememberedFile } from './import-memory.ts'
import { baseOf, bothChanged, mergedText, noBase, present } from './import-update.ts'
import { findMarkdownFiles, readMarkdown } from './markdown-files.ts'
import { replaceText } from './replace-text.ts'

type Outcome =
  | { became: 'same' | 'ahead' }
  | { became: 'written' | 'merged'; known: RememberedFile; notes: string[] }
  | { became: 'left' | 'refused' | 'unread'; why: string }

interface Exporting {
  channel: CommandChannel
  beside: FilesBeside
  /** The folder that has the bytes of documents’ files. */
  blobs: string
  ownerOf: (id: string) => UserRow | undefined
}

/** An export to files that are known: what was changed in Galley since comes to them, and nothing else of them changes. */
export class TrackedExport {
  readonly told: { file: string; why: string }[] = []
  /** What became of each file; what has no title has no document to be read. */
  readonly done: { id: string; title: string | null; file: string; became: Outcome['became'] }[] = []
  readonly #folder: string
  readonly #memory: ImportMemory
  readonly #by: Exporting
  readonly #filesBack: FilesBack
  readonly #titles = new Map<string, string>()
  readonly #count = { same: 0, ahead: 0, written: 0, merged: 0, left: 0, refused: 0, unread: 0 }

  constructor(folder: string, memory: ImportMemory, by: Exporting) {
    this.#folder = folder
    this.#memory = memory
    this.#by = by
    this.#filesBack = new FilesBack(folder, by.channel, by.blobs)
  }

  get refused() {
    return this.#count.refused
  }
  get unread() {
    return this.#count.unread
  }

  async bringAll(onProgress: (done: number, of: number) => void): Promise<void> {
    this.#followRenames()
    const all = this.#memory.files()
    try {
      for (const [index, [file, known]] of all.entries()) {
        const outcome = await this.#bring(file, known)
        const { became } = outcome
        this.#count[became]++
        this.done.push({ id: known.id, title: this.#titles.get(known.id) ?? null, file, became })
        if ('known' in outcome) this.#memory.note(file, outcome.known)
        for (const why of 'notes' in outcome ? outcome.notes : 'why' in outcome ? [outcome.why] : [])
          this.told.push({ file, why })
        await this.#by.beside.done()
        onProgress(index + 1, all.length)
      }
    } finally {
      this.#memory.save()
      await this.#by.beside.done()
    }
  }

  sum(): string {
    const { written, merged, same, ahead } = this.#count
    const joined = merged > 0 ? ` (${merged} merged with what was changed there)` : ''
    const untouched = `${counted(same + ahead, 'file')} had nothing to take.`
    return `Changed ${counted(written + merged, 'file')}${joined}; ${untouched}`
  }

  /** What the files have that Galley hasn’t. */
  ahead(): string | undefined {
    const { ahead, merged } = this.#count
    if (ahead + merged === 0) return undefined
    return `${counted(ahead + merged, 'file')} of ${this.#folder} ${ahead + merged === 1 ? 'has' : 'have'} changes that Galley hasn’t. “galley import ${this.#folder} --track” brings them.`
  }

  #followRenames() {
    if (this.#memory.gone().length === 0) return
    for (const file of findMarkdownFiles([this.#folder]).files) {
      const content = readMarkdown(file)
      const before = typeof content === 'string' ? this.#memory.followRename(file, content) : undefined
      if (before !== undefined)
        this.told.push({ file, why: `was ${before} before, and stays the same document.` })
    }
  }

  async #bring(file: string, known: RememberedFile): Promise<Outcome> {
    const { channel, beside, ownerOf } = this.#by
    const target = { id: known.id }
    const user = ownerOf(known.id)
    const damaged = {
      became: 'unread',
      why: `${nameOfDamaged(channel, known.id)} is damaged, and can’t be read as it is now; the file stays as it is. ${whatHelps}`,
    } as const
    const document =
      user &&
      (await present(channel.perform(user, readDocument, target, undefined)).catch((error: unknown) => {
        if (isUnreadable(error)) return damaged
        throw error
      }))
    if (document && ('became' in document || channel.readsOlder(known.id))) return damaged
    if (!user || !document)
      return {
        became: 'left',
        why: 'its document isn’t among those to be exported, or is in the trash; the file stays as it is.',
      }
    this.#titles.set(known.id, document.title)
    if (!this.#filesBack.isWithin(file))
      return { became: 'unread', why: 'leads out of the folder, or is hidden; it stays as it is.' }
    for (;;) {
      const now = existsSync(file) ? readMarkdown(file) : null
      if (now !== null && typeof now === 'object') return { became: 'unread', why: now.why }
      const isAsKnown = now !== null && hashOf(now) === known.hash
      if (isAsKnown && known.text === undefined && known.revision === document.revision)
        return { became: 'same' }

      const taken = now === null ? undefined : await beside.take(file, now)
      const mine = taken?.content ?? document.content
      const base = isAsKnown || !taken ? mine : await baseOf(channel, user, known)
      if (base === undefined)
        return { became: 'refused', why: `${noBase(known)} ${toChoose(known.id, file)}` }
      const isMine = mine !== base
      if (taken && document.content === base) return { became: isMine ? 'ahead' : 'same' }
      const text = isMine ? mergedText(base, mine, document.content) : document.content
      if (text === undefined) return { became: 'refused', why: `${bothChanged} ${toChoose(known.id, file)}` }

      const placed = await this.#filesBack.place(file, { user, document, taken, isMine })
      if ('why' in placed) return { became: 'refused', why: `${placed.why} ${toChoose(known.id, file)}` }
      const changed = placed.lead(text)
      // Somebody who writes in it just now is read again.
      if (changed !== now && !replaceText(file, now, changed)) continue
      const theirs = placed.lead(document.content)
      const again = await beside.take(file, theirs)
      return {
        became: changed === theirs ? 'written' : 'merged',
        known: {
          ...target,
          revision: document.revision,
          // Of Galley’s text alone: what the file has besides is still to be brought.
          hash: hashOf(theirs),
          ...(again.content === document.content ? {} : { text: again.content }),
        },
        notes: placed.notes,
      }
    }
  }
}

const toChoose = (id: string, file: string) =>
  `“galley doc diff ${id} ${path.resolve(file)}” shows how they differ, “galley doc read ${id}” prints Galley’s text, “galley doc edit ${id} ${path.resolve(file)}” takes the file’s.`
