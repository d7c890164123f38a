import { existsSync } from 'node:fs'
import { readDocument } from '../actions/documents.ts'
import type { UserRow } from '../store/users.ts'
import type { CommandChannel } from './channel.ts'
import { counted } from './command.ts'
import type { FilesBeside } from './files-beside.ts'
import { hashOf, ImportMemory } from './import-memory.ts'
import { present, updateFrom } from './import-update.ts'

/** An import that knows what it brought before. */
export class Tracked {
  readonly #memories: ImportMemory[]
  readonly #by: { channel: CommandChannel; user: UserRow; beside: FilesBeside }
  readonly updated: { id: string; title: string; file: string; became: 'changed' | 'merged' }[] = []
  readonly told: { file: string; why: string }[] = []
  refused = 0
  #unchanged = 0

  constructor(named: readonly string[], by: { channel: CommandChannel; user: UserRow; beside: FilesBeside }) {
    // What isn't there is told by whoever reads it.
    this.#memories = named.filter((one) => existsSync(one)).map((one) => new ImportMemory(one))
    this.#by = by
  }

  /** Whether a file is to become a new document; what is known already is seen to here. */
  async isNew(file: string, content: string): Promise<boolean> {
    const memory = this.#memoryOf(file)
    const before = memory.followRename(file, content)
    if (before !== undefined)
      this.told.push({ file, why: `was ${before} before, and stays the same document.` })
    const outcome = await updateFrom(this.#by, file, content, memory.find(file))
    switch (outcome.became) {
      case 'new':
        return true
      case 'unchanged':
        this.#unchanged++
        return false
      case 'refused':
        this.refused++
        this.told.push({ file, why: outcome.why })
        return false
      default: {
        const { became, known, title, notes } = outcome
        memory.note(file, known)
        // At once: a change that was forgotten would be made again.
        this.save()
        this.updated.push({ id: known.id, title, file, became })
        for (const why of notes) this.told.push({ file, why })
        return false
      }
    }
  }

  isMade(file: string, content: string, id: string): void {
    this.#memoryOf(file).note(file, { id, revision: 1, hash: hashOf(content) })
  }

  /** Says which files are gone. Their documents stay: a folder may be here in part. */
  async tellGone(): Promise<void> {
    const { channel, user } = this.#by
    for (const memory of this.#memories.filter(({ isOfFolder }) => isOfFolder))
      for (const [file, { id }] of memory.gone())
        if (await present(channel.perform(user, readDocument, { id }, undefined)))
          this.told.push({
            file,
            why: `is gone; its document stays. “galley doc delete ${id}” deletes that, too.`,
          })
  }

  save(): void {
    for (const memory of this.#memories) memory.save()
  }

  sum(): string {
    const merged = this.updated.filter(({ became }) => became === 'merged').length
    return `Changed ${counted(this.updated.length, 'document')}${merged > 0 ? ` (${merged} merged with what was changed in Galley)` : ''}; ${counted(this.#unchanged, 'file')} had not changed.`
  }

  #memoryOf = (file: string) => this.#memories.find((memory) => memory.covers(file))!
}
