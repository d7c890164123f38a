import { Remembered } from '../ui/remembered.ts'
import { instantNow } from '../ui/time.ts'
import type { SharePage } from './share-page.ts'

interface Reading {
  revision: number
  at: string
}

/** Which text somebody has read last in this browser. Nobody else is told, the server neither. */
export class LastRead {
  #reading = $state.raw<Reading | null>(null)
  readonly #kept: Remembered

  constructor(documentId: string) {
    this.#kept = new Remembered(`galley.read.${documentId}`)
    this.#reading = readingIn(this.#kept.value)
  }

  get revision(): number | null {
    return this.#reading?.revision ?? null
  }
  get at(): string | null {
    return this.#reading?.at ?? null
  }

  isBehind(revision: number): boolean {
    return this.#reading !== null && this.#reading.revision < revision
  }

  /** This text has been read now. */
  note(revision: number): void {
    this.#reading = { revision, at: instantNow() }
    this.#kept.value = JSON.stringify(this.#reading)
  }
}

function readingIn(kept: string | null): Reading | null {
  try {
    const { revision, at } = JSON.parse(kept ?? '{}') as Partial<Reading>
    return Number.isSafeInteger(revision) && revision! > 0 && typeof at === 'string' && Date.parse(at) > 0
      ? { revision: revision!, at }
      : null
  } catch {
    return null
  }
}

interface WhatIsRead {
  page: Pick<SharePage, 'keptAt'>
  lastRead: LastRead
  text: { readonly revision: number; readonly latest: number }
  editing: { readonly open: boolean }
}

/** Notes what is read, where nothing has changed of which there would be something to show first. */
export function followLastRead({ editing, lastRead, page, text }: WhatIsRead): void {
  // A kept copy may be older than what was read.
  if (page.keptAt === undefined && !lastRead.isBehind(text.revision)) lastRead.note(text.revision)
  $effect.root(() => {
    let hadRead = false
    $effect(() => {
      const { latest } = text
      if (!editing.open) hadRead = lastRead.revision === text.revision
      // Who writes in a text sees what becomes of it.
      else if (hadRead && lastRead.isBehind(latest)) lastRead.note(latest)
    })
  })
}
