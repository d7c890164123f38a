import Database from 'better-sqlite3'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { backUp, openKept } from './backup.ts'
import { checkDatabase } from './check.ts'
import { openDatabase } from './database.ts'
import { migrations } from './migrations/index.ts'
import { replaceAll } from './restored-rows.ts'
import { readBackup, removeCopy } from './backup-copy.ts'
import { nextTurn, testFolder, testStore } from './testing/store.ts'

const onDisk = () => {
  const folder = testFolder()
  return {
    folder,
    backup: path.join(folder, 'backup.db'),
    ...testStore({ file: path.join(folder, 'galley.db') }),
  }
}

/** Restores a backup into a store as the command does. */
function restore(at: ReturnType<typeof testStore>, backup: string) {
  const copy = path.join(testFolder(), 'copy.db')
  const flaws = readBackup(backup, copy)
  const result = replaceAll(at.store.db, copy)
  removeCopy(copy)
  return { ...result, flaws }
}

const everything = (at: ReturnType<typeof testStore>) =>
  Object.fromEntries(
    ['users', 'documents', 'changes', 'versions', 'comments', 'suggestions', 'share_links', 'api_keys'].map(
      (table) => [
        table,
        at.store.db
          .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
          .all()
          .map(({ indexed: _indexed, ...row }) => row),
      ],
    ),
  )

describe('webhooks, and the pages that may ask', () => {
  test('stay as they are here, whatever a backup has', async () => {
    const at = onDisk()
    const { webhooks, deliveries, allowedOrigins } = at.store
    const fields = { kinds: ['comment'], documents: null, inner_network: false }
    const gone = webhooks.create(at.owner.id, { ...fields, url: 'https://gone.example/' })
    allowedOrigins.replace(at.owner.id, ['https://gone.example'])
    await backUp(at.store.db, at.backup)
    webhooks.delete(gone.id)
    const stays = webhooks.create(at.owner.id, { ...fields, url: 'https://stays.example/' })
    const waiting = deliveries.add(stays.id, null)
    allowedOrigins.replace(at.owner.id, ['https://stays.example'])
    restore(at, at.backup)
    expect(webhooks.listAll()).toEqual([stays])
    expect(deliveries.find(stays.id, waiting.id)).toEqual(waiting)
    expect(allowedOrigins.list(at.owner.id)).toEqual(['https://stays.example'])

    // And on another machine there are none.
    const elsewhere = onDisk()
    restore(elsewhere, at.backup)
    expect(elsewhere.store.webhooks.listAll()).toEqual([])
  })
})

describe('stopped sharing', () => {
  const sharing = () => {
    const at = onDisk()
    const { number } = at.create('one')
    const fields = { permission: 'view', label: null, expiresAt: null } as const
    const { id, token } = at.store.shareLinks.create(number, at.owner.id, fields)
    return { ...at, token, revoke: () => at.store.shareLinks.revoke(id, number) }
  }

  test('stays stopped by restoring a backup from before', async () => {
    const at = sharing()
    await backUp(at.store.db, at.backup)
    at.store.sharing.stop(at.owner.id)
    at.revoke()
    expect(restore(at, at.backup)).toMatchObject({ revivedLinks: 0 })
    expect(at.store.shareLinks.findValid(at.token)).toBeUndefined()
  })

  test('is stopped again by a backup from after, since the earliest time', async () => {
    const at = sharing()
    at.store.sharing.stop(at.owner.id)
    const since = at.store.sharing.stoppedAt(at.owner.id)!
    await backUp(at.store.db, at.backup)
    at.store.sharing.start(at.owner.id)
    restore(at, at.backup)
    expect(at.store.shareLinks.findValid(at.token)).toBeUndefined()

    const setAt = (time: number) => at.store.db.prepare('UPDATE stopped_sharing SET at = ?').run(time)
    for (const [here, afterwards] of [
      [since - 1, since - 1],
      [since + 1, since],
    ] as const) {
      setAt(here)
      restore(at, at.backup)
      expect(at.store.sharing.stoppedAt(at.owner.id)).toBe(afterwards)
    }
  })

  test('stays stopped in a new place, and where another library was there meanwhile', async () => {
    const at = sharing()
    at.store.sharing.stop(at.owner.id)
    await backUp(at.store.db, at.backup)
    const elsewhere = sharing()
    await backUp(elsewhere.store.db, elsewhere.backup)
    // Whoever else’s it is shares as before.
    expect(restore(at, elsewhere.backup)).toMatchObject({ revivedLinks: 1 })
    expect(at.store.shareLinks.findValid(elsewhere.token)).toBeDefined()

    for (const place of [at, onDisk()]) {
      expect(restore(place, at.backup)).toMatchObject({ revivedLinks: 0 })
      expect(place.store.shareLinks.findValid(at.token)).toBeUndefined()
      place.store.sharing.start(at.owner.id)
      expect(place.store.shareLinks.findValid(at.token)).toBeDefined()
    }
  })
})

describe('a backup', () => {
  test('is one plain, sound, private file with everything in it', async () => {
    const at = onDisk()
    const { id } = at.create('one')
    at.edit(id, 'two', { informed: false })
    await backUp(at.store.db, at.backup)
    expect(readdirSync(at.folder).sort()).toEqual([
      'backup.db',
      'galley.db',
      'galley.db-shm',
      'galley.db-wal',
    ])
    if (process.platform !== 'win32') expect(statSync(at.backup).mode & 0o777).toBe(0o600)
    const copy = openDatabase({ file: at.backup, readonly: true })
    expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
    expect(checkDatabase(copy)).toMatchObject({ findings: [], counts: { documents: 1, versions: 2 } })
    copy.close()
  })

  test('shows one moment, however much is written while it is made', async () => {
    const at = onDisk()
    const { id } = at.create('first')
    for (let i = 0; i < 20; i++) at.create('word '.repeat(200_000))
    const writer = testStore({ file: path.join(at.folder, 'galley.db') })
    let steps = 0
    await backUp(at.store.db, at.backup, () => {
      steps++
      writer.create('meanwhile')
      writer.edit(id, `step ${steps}`, { informed: false })
    })
    expect(steps).toBeGreaterThan(1)
    const copy = openDatabase({ file: at.backup, readonly: true })
    expect(checkDatabase(copy)).toMatchObject({ findings: [], counts: { documents: 21, versions: 21 } })
    copy.close()
    expect(at.store.documents.listIds(at.owner.id)).toHaveLength(21 + steps)
  })

  test('of a damaged database is refused and leaves no file', async () => {
    const at = onDisk()
    at.create('text')
    at.store.db.exec('DROP INDEX comments_by_parent')
    await expect(backUp(at.store.db, at.backup)).rejects.toMatchObject({
      reason: 'damaged',
      message: 'The database is damaged: the index comments_by_parent is missing.',
    })
    expect(existsSync(at.backup)).toBe(false)
    at.create('the store works on')
  })
})

describe('a restore', () => {
  test('counts links that work again, allow more than they did, show people again, or are for agents again', async () => {
    const at = onDisk()
    const { number } = at.create('one')
    const make = () =>
      at.store.shareLinks.create(number, at.owner.id, {
        ...{ permission: 'edit', label: null, expiresAt: null, allowsAgents: true },
      })
    const [same, revoked, expired, lowered, suggesting, hiding, peoples] = [
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
    ]
    await backUp(at.store.db, at.backup)
    const { update, revoke } = at.store.shareLinks
    expect(restore(at, at.backup)).toMatchObject({ revivedLinks: 0 })
    update(same, { label: 'Renamed' })
    revoke(revoked.id, number)
    update(expired, { expiresAt: 1 })
    update(lowered, { permission: 'view' })
    update(suggesting, { suggestOnly: true })
    update(hiding, { hidesPeople: true })
    update(peoples, { allowsAgents: false })
    expect(restore(at, at.backup)).toMatchObject({ revivedLinks: 6 })
    update(same, { permission: 'view' })
    await backUp(at.store.db, `${at.backup}-2`)
    update(same, { permission: 'edit' })
    expect(restore(at, `${at.backup}-2`), 'one that allows less').toMatchObject({ revivedLinks: 0 })
  })

  test('brings everything back as it was, in a new place too', async () => {
    const at = onDisk()
    const { id, number } = at.create('one', 'Title')
    at.edit(id, 'two', { informed: false })
    const comment = at.store.comments.create(number, at.author, {
      body: 'Hm',
      parentId: null,
      anchor: null,
      range: null,
    })
    at.store.comments.create(number, at.author, {
      body: 'Re',
      parentId: comment.id,
      anchor: null,
      range: null,
    })
    const { token } = at.store.shareLinks.create(number, at.owner.id, {
      permission: 'edit',
      label: 'L',
      expiresAt: null,
    })
    const { key } = at.store.apiKeys.create(at.owner.id, { name: 'CI', access: 'full', expiresAt: null })
    await backUp(at.store.db, at.backup)
    const elsewhere = testStore()
    elsewhere.create('something else')
    expect(restore(elsewhere, at.backup)).toEqual({
      documents: 1,
      revivedLinks: 1,
      revivedKeys: 1,
      flaws: [],
    })
    // But for the revision that it has now: nobody can tell which ones it has had.
    const { documents, changes, versions, ...others } = everything(elsewhere)
    const { documents: _, changes: log, versions: __, ...before } = everything(at)
    expect(others).toEqual(before)
    expect(changes).toEqual([...log!, expect.objectContaining({ hash: documents![0]!['hash'] })])
    expect(elsewhere.get(id)).toMatchObject({ text: at.get(id).text, title: at.get(id).title })
    expect(versions!.map(({ revision }) => revision)).toEqual([1, elsewhere.get(id).revision])
    expect(elsewhere.store.users.owner().id).toBe(at.owner.id)
    expect(elsewhere.store.shareLinks.findValid(token)).toBeDefined()
    expect(elsewhere.store.apiKeys.findValid(key)).toBeDefined()
    expect(
      elsewhere.store.search.find({ owner: at.owner.id, query: 'two', limit: 10, offset: 0 }),
    ).toHaveLength(1)
    expect(
      elsewhere.store.search.find({ owner: at.owner.id, query: 'something', limit: 10, offset: 0 }),
    ).toEqual([])
    expect(checkDatabase(elsewhere.store.db).findings).toEqual([])
  })

  test('undoes what was done since; whoever has the database open sees that at once', async () => {
    const at = onDisk()
    const kept = at.create('kept')
    const changed = at.create('as it was')
    const deleted = at.create('deleted later')
    await backUp(at.store.db, at.backup)
    at.edit(changed.id, 'written since', { informed: false })
    at.store.transaction(() => at.store.documents.delete(deleted))
    const added = at.create('added since')
    const server = testStore({ file: path.join(at.folder, 'galley.db') })
    expect(server.get(changed.id).text.whole).toBe('written since')
    restore(at, at.backup)
    await nextTurn()
    expect(server.get(kept.id)).toEqual(kept)
    expect(server.get(changed.id).text.whole).toBe('as it was')
    expect(server.get(deleted.id).text.whole).toBe('deleted later')
    expect(server.get(added.id)).toBeUndefined()
    expect(server.store.search.find({ owner: at.owner.id, query: 'since', limit: 10, offset: 0 })).toEqual([])
    server.edit(changed.id, 'and on it goes')
    expect(checkDatabase(server.store.db).findings).toEqual([])
  })

  test('gives no text a revision that another text had', async () => {
    const at = onDisk()
    const { id } = at.create('one')
    at.edit(id, 'two', { informed: false })
    await backUp(at.store.db, at.backup)
    at.edit(id, 'three', { informed: false })
    at.edit(id, 'four', { informed: false })
    restore(at, at.backup)
    const { number, text, revision } = at.get(id)
    expect([text.whole, revision]).toEqual(['two', 5])
    expect(at.store.versions.list(number).map((version) => version.revision)).toEqual([5, 1])
    expect(checkDatabase(at.store.db).findings).toEqual([])
    at.edit(id, 'five')
    expect(checkDatabase(at.store.db).findings).toEqual([])
    // Once more, on the same revision but another text.
    restore(at, at.backup)
    expect(at.get(id)).toMatchObject({ text: { whole: 'two' }, revision: 7 })
    restore(at, at.backup)
    expect(at.get(id)).toMatchObject({ text: { whole: 'two' }, revision: 8 })
  })

  test('gives no text a revision that another text had where the document wasn’t here any more', async () => {
    const at = onDisk()
    const without = path.join(at.folder, 'without.db')
    await backUp(at.store.db, without)
    const { id } = at.create('one')
    await backUp(at.store.db, at.backup)
    for (const text of ['two', 'three', 'four']) at.edit(id, text, { informed: false })
    let newest = at.get(id).revision
    const restoreLater = (to: ReturnType<typeof testStore> = at) => {
      restore(to, at.backup)
      const { revision, text } = to.get(id)
      expect(text.whole).toBe('one')
      expect(revision).toBeGreaterThan(newest)
      to.edit(id, `after ${revision}`, { by: at.author })
      newest = to.get(id).revision
      expect([to.textAt(id, revision), to.get(id).text.whole]).toEqual(['one', `after ${revision}`])
      expect(checkDatabase(to.store.db).findings).toEqual([])
    }
    // It went with another backup, twice: what was given it the first time is known from nowhere the second time.
    for (let i = 0; i < 2; i++) {
      restore(at, without)
      restoreLater()
    }
    at.store.transaction(() => at.store.documents.delete(at.get(id)))
    restoreLater()
    // All was lost, twice.
    for (let i = 0; i < 2; i++) restoreLater(testStore())
  })

  test('leaves what is as it was in the search index, and takes out what isn’t', async () => {
    const at = onDisk()
    at.create('kept')
    const long = 'a long text '.repeat(40_000)
    const changed = at.create(long)
    const indexAll = () => {
      while (at.store.searchIndex.write(10));
    }
    indexAll()
    await backUp(at.store.db, at.backup)
    at.edit(changed.id, `otherwise ${long}`)
    at.create(`added ${long}`)
    indexAll()
    restore(at, at.backup)
    const indexed = at.store.db.prepare('SELECT indexed FROM documents ORDER BY number').pluck()
    expect(indexed.all()).toEqual([1, 0])
    expect(at.store.db.prepare('SELECT count(*) FROM search_parts').pluck().get()).toBe(0)
    indexAll()
    const find = (query: string) =>
      at.store.search.find({ owner: at.owner.id, query, limit: 10, offset: 0 }).map(({ id }) => id)
    expect([find('long'), find('otherwise'), find('added')]).toEqual([[changed.id], [], []])
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('takes in what was written between looking ahead and replacing', async () => {
    const at = onDisk()
    const [changed, gone] = [at.create('as it was'), at.create('goes')]
    await backUp(at.store.db, at.backup)
    const copy = path.join(at.folder, 'copy.db')
    readBackup(at.backup, copy)
    const other = testStore({ file: path.join(at.folder, 'galley.db') })
    const file = path.join(at.folder, 'kept.db')
    const hasChanged = await backUp(at.store.db, file)
    other.edit(changed.id, 'early')
    const kept = openKept(file, path.join(at.folder, 'galley.db'))
    let times = 0
    const bringUpToDate = () => {
      const keys = kept.bringUpToDate()
      if (times++ > 0) return keys
      other.edit(changed.id, 'late', { informed: false })
      other.store.transaction(() => other.store.documents.delete(gone))
      other.create('new')
      return keys
    }
    replaceAll(at.store.db, copy, { copy: { file, bringUpToDate }, hasChanged })
    kept.close()
    expect(times).toBe(2)
    const textsOf = ({ store, owner }: ReturnType<typeof testStore>) =>
      store.documents.listIds(owner.id).map((id) => store.documents.find(id)!.text.whole)
    expect(textsOf(at).sort()).toEqual(['as it was', 'goes'])
    expect(textsOf(testStore({ file })).sort()).toEqual(['late', 'new'])
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('brings back the order of what was said at one moment', async () => {
    const at = onDisk()
    const { number } = at.create('one')
    const say = (body: string) =>
      at.store.comments.create(number, at.author, { body, parentId: null, anchor: null, range: null })
    const [first] = ['first', 'second', 'third', 'fourth', 'fifth'].map(say)
    await backUp(at.store.db, at.backup)
    at.store.db.prepare('UPDATE comments SET body = ? WHERE id = ?').run('changed', first!.id)
    say('since')
    restore(at, at.backup)
    const bodies = at.store.db.prepare('SELECT body FROM comments ORDER BY created_at, rowid').pluck()
    expect(bodies.all()).toEqual(['first', 'second', 'third', 'fourth', 'fifth'])
  })

  test('that fails at the end leaves everything as it was', async () => {
    const at = onDisk()
    const { id, number } = at.create('one')
    await backUp(at.store.db, at.backup)
    at.edit(id, 'two', { informed: false })
    const before = everything(at)
    const copy = path.join(at.folder, 'copy.db')
    readBackup(at.backup, copy)
    at.store.db.exec(
      "CREATE TEMP TRIGGER refuses BEFORE INSERT ON main.events BEGIN SELECT RAISE(ABORT, 'refused'); END",
    )
    expect(() => replaceAll(at.store.db, copy)).toThrow('refused')
    expect(everything(at)).toEqual(before)
    at.store.db.exec('DROP TRIGGER refuses')
    expect(replaceAll(at.store.db, copy).documents).toBe(1)
    expect(at.get(id).text.whole).toBe('one')
    // What belongs to a document goes with it, as ever.
    at.store.transaction(() => at.store.documents.delete(at.get(id)))
    expect(at.store.versions.list(number)).toEqual([])
  })

  test('signs nobody out and nobody in', async () => {
    const at = onDisk()
    const signIn = () => at.store.sessions.exchange(at.store.signInLinks.createTicket(at.owner.id))!.secret
    const [ended, lasting] = [signIn(), signIn()]
    await backUp(at.store.db, at.backup)
    at.store.sessions.delete(at.store.sessions.findValid(ended)!.digest)
    const since = signIn()
    const ticket = at.store.signInLinks.createTicket(at.owner.id)
    restore(at, at.backup)
    expect(
      [ended, lasting, since].map((secret) => at.store.sessions.findValid(secret) !== undefined),
    ).toEqual([false, true, true])
    expect(at.store.sessions.exchange(ticket)).toBeDefined()
    const elsewhere = testStore()
    restore(elsewhere, at.backup)
    expect(elsewhere.store.sessions.findValid(lasting)).toBeUndefined()
  })

  test('reads a database that SQLite can’t open where it lies', () => {
    const at = onDisk()
    at.create('text')
    at.store.close()
    const file = path.join(at.folder, 'galley.db')
    mkdirSync(`${file}-wal`)
    expect(() => openDatabase({ file, readonly: true })).toThrow()
    expect(restore(testStore(), file).documents).toBe(1)
  })

  test.each(['WAL', 'DELETE'])('reads it with what lies beside it in mode %s, as after a kill', (mode) => {
    const at = onDisk()
    const { id } = at.create('as it was')
    const file = path.join(at.folder, 'galley.db')
    const write = new Database(file)
    if (mode === 'DELETE') {
      at.store.close()
      write.pragma('journal_mode = DELETE')
      // Half of a transaction is in the database already, and how that was in the journal.
      write.pragma('cache_size = 1')
      write.exec('BEGIN')
    }
    write.exec(
      "UPDATE documents SET title = 'Written'; CREATE TABLE more AS SELECT randomblob(1000000) b; DROP TABLE more",
    )
    const elsewhere = path.join(testFolder(), 'left.db')
    const parts = ['', '-wal', '-journal'].filter((part) => existsSync(file + part))
    expect(parts).toHaveLength(2)
    for (const part of parts) copyFileSync(file + part, elsewhere + part)
    for (const part of parts) chmodSync(elsewhere + part, 0o444)
    write.close()
    // As where nothing can be written beside it.
    symlinkSync('nowhere', `${elsewhere}-shm`)
    const copy = path.join(testFolder(), 'copy.db')
    expect(readBackup(elsewhere, copy)).toEqual([])
    expect(testStore({ file: copy }).get(id).title).toBe(mode === 'WAL' ? 'Written' : 'Untitled')
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
  })

  test('tells of flaws that SQLite can’t see, and restores all the same', async () => {
    const at = onDisk()
    at.create('text')
    at.store.db.exec('UPDATE documents SET hash = 1')
    await backUp(at.store.db, at.backup)
    expect(restore(testStore(), at.backup)).toMatchObject({
      documents: 1,
      flaws: [expect.stringMatching(/its text is not the one that was saved/)],
    })
  })

  describe('refuses, and leaves the present state as it is,', () => {
    const refusal = (file: string) => {
      const at = testStore()
      const { id } = at.create('present')
      const before = everything(at)
      let refused: unknown
      try {
        restore(at, file)
      } catch (error) {
        refused = error
      }
      expect(everything(at)).toEqual(before)
      expect(at.get(id).text.whole).toBe('present')
      return refused as { reason: string; message: string }
    }
    const file = () => path.join(testFolder(), 'file.db')

    test('a newer backup', () => {
      const newer = file()
      openDatabase({ file: newer, migrations: [...migrations, 'CREATE TABLE later (a)'] }).close()
      expect(refusal(newer)).toMatchObject({ reason: 'newer' })
    })

    test('a file that is no database', () => {
      const text = file()
      writeFileSync(text, 'Dear diary, '.repeat(1_000))
      expect(refusal(text)).toMatchObject({
        reason: 'not galley',
        message: expect.stringMatching(/is not a backup of Galley’s/) as string,
      })
    })

    test('another program’s database', () => {
      const other = file()
      const db = new Database(other)
      db.exec('CREATE TABLE photos (a)')
      db.close()
      expect(refusal(other)).toMatchObject({ reason: 'not galley' })
    })

    test('an empty file', () => {
      const empty = file()
      writeFileSync(empty, '')
      expect(refusal(empty)).toMatchObject({ reason: 'not galley' })
    })

    test('a damaged backup', async () => {
      const at = onDisk()
      for (let i = 0; i < 100; i++) at.create('text '.repeat(2_000))
      await backUp(at.store.db, at.backup)
      const bytes = readFileSync(at.backup)
      for (let at = 40 * 4096; at < bytes.length; at += 7 * 4096) bytes.fill(0x5a, at, at + 512)
      writeFileSync(at.backup, bytes)
      expect(refusal(at.backup)).toMatchObject({ reason: 'damaged' })
      writeFileSync(at.backup, bytes.subarray(0, bytes.length / 2))
      expect(refusal(at.backup)).toMatchObject({ reason: 'damaged' })
    })
  })
})
