import { statSync } from 'node:fs'
import path from 'node:path'
import { limits } from '../contract/limits.ts'
import { firstCodePoints } from '../domain/code-points.ts'
import { memoryName, readMemory } from './import-memory.ts'

/** The titles that an export noted beside the files which it wrote. Whatever can’t be read there says nothing. */
export class NotedTitles {
  readonly #roots: readonly string[]
  readonly #read = new Map<string, ReadonlyMap<string, string>>()

  /** @param named the files and folders above which nothing is looked at */
  constructor(named: readonly string[]) {
    this.#roots = named.map((at) => {
      const full = path.resolve(at)
      return statSync(full, { throwIfNoEntry: false })?.isDirectory() ? full : path.dirname(full)
    })
  }

  find(file: string): string | undefined {
    const full = path.resolve(file)
    const isWithin = (folder: string) =>
      this.#roots.some((root) => !path.relative(root, folder).split(path.sep).includes('..'))
    for (let folder = path.dirname(full); isWithin(folder); folder = path.dirname(folder)) {
      const title = this.#titlesIn(folder).get(path.relative(folder, full).split(path.sep).join('/'))
      if (title !== undefined) return firstCodePoints(title, limits.titleLength)
      if (folder === path.dirname(folder)) break
    }
    return undefined
  }

  #titlesIn(folder: string): ReadonlyMap<string, string> {
    const known = this.#read.get(folder)
    if (known) return known
    const titles = readTitles(path.join(folder, memoryName))
    this.#read.set(folder, titles)
    return titles
  }
}

function readTitles(file: string): ReadonlyMap<string, string> {
  try {
    return readMemory(file).titles
  } catch {
    return new Map()
  }
}
