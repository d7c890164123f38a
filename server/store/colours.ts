import { chooseColour, ownersColour, type UsedColour } from '../domain/choose-colour.ts'
import { personOf, personOfUser } from '../domain/person.ts'
import { authorColumns, type Author, type NotedAuthor } from './author.ts'
import type { Db } from './database.ts'
import type { Memory } from './memory.ts'

/** So long the colour of somebody who has gone without having written is kept for them, in ms, and of so many. */
const keptFor = 10 * 60_000
const mostKept = 100

/** Somebody who has a document open. */
export interface ColouredPerson {
  /** Who they are, or where nothing tells, which page of theirs it is. */
  name: string
  /** Whether other recipients may know of them. */
  isSeen: boolean
}

interface Reserved extends UsedColour {
  /** Null while they are here. */
  goneAt: number | null
}

type Noted = Pick<NotedAuthor, 'author_id' | 'author_key' | 'author_name' | 'key_kind'>

export type ColourStore = ReturnType<typeof colourStore>

/**
 * Which colour each person has in a document: the same wherever they are shown, for everybody. Its owner has one of their
 * own in each. Who writes something there, or says it, gets one that is stored with that; who is only there has one that
 * is remembered, and becomes theirs then.
 */
export function colourStore(db: Db, memory: Memory, now: () => number) {
  const ofDocument = db.prepare<[{ document: number }], { person: string; colour: number }>(
    `SELECT '${personOfUser('')}' || owner_id AS person, ${ownersColour} AS colour FROM documents WHERE number = @document
     UNION ALL SELECT person, colour FROM colours WHERE document = @document`,
  )
  const used = db.prepare<[number], { person: string; colour: number; isSeen: 0 | 1 }>(
    `SELECT person, colour, hidden = 0 AND NOT EXISTS (SELECT 1 FROM guests g
       WHERE g.document = c.document AND g.author_key = c.person AND g.hidden = 1) AS isSeen
     FROM colours c WHERE document = ?`,
  )
  const numberOf = db.prepare<[string], number>('SELECT number FROM documents WHERE id = ?').pluck()
  const idOf = db.prepare<[number], string>('SELECT id FROM documents WHERE number = ?').pluck()
  const insert = db.prepare('INSERT INTO colours (document, person, colour, hidden) VALUES (?, ?, ?, ?)')
  const letGo = db.prepare<[{ document: number }]>(
    `DELETE FROM colours AS c WHERE document = @document AND NOT EXISTS (
       SELECT 1 FROM comments WHERE document = @document AND author_key = c.person
       UNION ALL SELECT 1 FROM suggestions WHERE document = @document AND author_key = c.person
       UNION ALL SELECT 1 FROM versions WHERE document = @document
         AND (author_key = c.person OR instr(suggested_by, json_quote(c.person)) > 0)
     ) AND person GLOB 'guest:*'
     OR document = @document AND person GLOB 'import *' AND NOT EXISTS (
       SELECT 1 FROM (
         SELECT author_key, key_kind, author_name FROM comments WHERE document = @document
         UNION ALL SELECT author_key, key_kind, author_name FROM suggestions WHERE document = @document
         UNION ALL SELECT author_key, key_kind, author_name FROM versions WHERE document = @document
       ) WHERE author_key = 'import' AND 'import ' || coalesce(key_kind, '') || ' ' || author_name = c.person
     )`,
  )
  const lookup = memory.lookup<ReadonlyMap<string, number>>(['colours', 'documents'])
  /** By a document's id, which outlives it. */
  const here = new Map<string, Map<string, Reserved>>()

  const of = (document: number): ReadonlyMap<string, number> =>
    lookup(
      document,
      () => new Map(ofDocument.all({ document }).map(({ person, colour }) => [person, colour])),
    )!

  function choose(document: number, reserving: ReadonlyMap<string, Reserved> = new Map()): number {
    const stored = used.all(document)
    const names = new Set(stored.map(({ person }) => person))
    const reserved = [...reserving].flatMap(([name, { colour, isSeen, goneAt }]) =>
      names.has(name) ? [] : [{ colour, isSeen: isSeen && goneAt === null }],
    )
    return chooseColour([
      ...stored.map(({ colour, isSeen }) => ({ colour, isSeen: isSeen === 1 })),
      ...reserved,
    ])
  }

  /** Those who went long ago, or before many others, are no longer remembered. */
  function forgetGone() {
    for (const [document, people] of here) {
      const gone = [...people].filter(([, { goneAt }]) => goneAt !== null)
      for (const [i, [name, { goneAt }]] of gone.entries())
        if (now() - goneAt! >= keptFor || gone.length - i > mostKept) people.delete(name)
      if (people.size === 0) here.delete(document)
    }
  }

  return {
    /** Of whoever made a record; undefined where it isn't known any more who that was. */
    find(document: number, noted: Noted): number | undefined {
      const person = personOf(noted)
      return person === null ? undefined : of(document).get(person)
    },
    /** By the person whom `personOf` names. */
    findPerson: (document: number, person: string): number | undefined => of(document).get(person),

    /** Inside a transaction: somebody writes or says something. `page` is the one that they do it in, where that is known. */
    give(document: number, author: Author, page?: string): void {
      const [author_id, author_key, author_name, , key_kind] = authorColumns(author)
      const person = personOf({ author_id, author_key, author_name, key_kind })
      if (person === null || of(document).has(person)) return
      const reserved = here.get(idOf.get(document) ?? '')
      const known = reserved?.get(person) ?? (page === undefined ? undefined : reserved?.get(page))
      insert.run(
        document,
        person,
        known?.colour ?? choose(document, reserved),
        author.hidden === true ? 1 : 0,
      )
    },

    /** Somebody is here. Nothing is written. */
    meet(documentId: string, { name, isSeen }: ColouredPerson): number {
      const document = numberOf.get(documentId)
      // Who is still where nothing is any more is told so soon.
      if (document === undefined) return ownersColour
      const stored = of(document).get(name)
      if (stored !== undefined) return stored
      forgetGone()
      const people = here.get(documentId) ?? new Map<string, Reserved>()
      here.set(documentId, people)
      const colour = people.get(name)?.colour ?? choose(document, people)
      people.delete(name)
      people.set(name, { colour, isSeen, goneAt: null })
      return colour
    },
    /** They are gone, and may come back soon. */
    left(documentId: string, name: string): void {
      const people = here.get(documentId)
      const reserved = people?.get(name)
      if (!people || !reserved) return
      people.delete(name)
      people.set(name, { ...reserved, goneAt: now() })
      forgetGone()
    },

    /** Guests of whom nothing is left in a document have no colour there either, nor has who is named in no file's words any more. */
    letGo: (document: number) => void letGo.run({ document }),
  }
}
