import { randomUUID } from 'node:crypto'
import { allowedOriginStore } from './allowed-origins.ts'
import { apiKeyStore } from './api-keys.ts'
import { colourStore } from './colours.ts'
import { commentStore } from './comments.ts'
import { copiedLinkStore } from './copied-links.ts'
import { guestStore } from './guests.ts'
import { guestVersionStore } from './guest-versions.ts'
import { historyStore } from './history.ts'
import { idempotencyRecordStore } from './idempotency-records.ts'
import { linkVisitStore } from './link-visits.ts'
import { isBusy } from './database-trouble.ts'
import { isGalleys, openDatabase, type Db, type DatabaseOptions } from './database.ts'
import { createDeferredWrites, type DeferredWritesOptions } from './deferred-writes.ts'
import { documentStore } from './documents.ts'
import { cleanIndexes } from './cleaning.ts'
import { eventStore } from './events.ts'
import { fileStore } from './files.ts'
import { forgettingStore } from './forgetting.ts'
import { memoryOf } from './memory.ts'
import { releaseMemory } from './release-memory.ts'
import { renderStore } from './renders.ts'
import { searchIndex } from './search-index.ts'
import { searchReader } from './search.ts'
import { roundStore } from './rounds.ts'
import { seenFeedbackStore } from './seen-feedback.ts'
import { createSharedCommit } from './shared-commit.ts'
import { sessionStore } from './sessions.ts'
import { signInLinkStore } from './sign-in-links.ts'
import { shareLinkStore } from './share-links.ts'
import { sharingStore } from './sharing.ts'
import { suggestionStore } from './suggestions.ts'
import { textStore } from './texts.ts'
import { trashStore } from './trash.ts'
import { userStore } from './users.ts'
import { versionStore } from './versions.ts'
import { deliveryStore } from './webhook-deliveries.ts'
import { webhookStore } from './webhooks.ts'

export interface StoreOptions extends DatabaseOptions {
  now?: () => number
  newId?: () => string
  /** Names the renderer whose stored pages are valid. */
  renderer?: string
  /** Told after each commit, and whether all of it was what can wait. */
  onCommitted?: (isDeferred: boolean) => void
  /** Told how many documents are damaged, as far as is known, whenever that is another number. */
  onDamage?: (documents: number) => void
  /** Told when what can wait can't be written now, and with null when it can again. */
  onDeferredTrouble?: DeferredWritesOptions['onTrouble']
}
export type Store = ReturnType<typeof openStore>

/**
 * Opens the database and prepares every statement, once.
 * @throws OpenError
 */
export function openStore(options: StoreOptions) {
  const db = openDatabase(options)
  const store = storeOn(db, options)
  return {
    ...store,
    /** Writes what waited, and closes. */
    close() {
      store.flush()
      store.deferred.close()
      db.close()
    },
  }
}

function storeOn(db: Db, options: StoreOptions) {
  const now = options.now ?? Date.now
  const newId = options.newId ?? randomUUID
  const memory = memoryOf(db)
  const users = userStore(db, memory, now, newId)
  const signInLinks = signInLinkStore(db, now)
  const colours = colourStore(db, memory, now)
  const versions = versionStore(db, colours)
  // Immediate: a transaction that reads first and writes then must not find, at its first write, that another process was quicker.
  const run = db.transaction((work: () => unknown) => work())
  const toDo: (() => void)[] = []
  // Asking SQLite each time would be a good part of what a small write costs.
  let isUnderWay = false
  function transaction<T>(work: () => T): T {
    const isOutermost = !isUnderWay
    const before = isOutermost ? 0 : toDo.length
    toDo.length = before
    let result: T
    try {
      // Inside of another one it is a savepoint.
      result = (isOutermost ? run.immediate(() => begun(work)) : run(work)) as T
    } catch (error) {
      toDo.length = before
      texts.forget()
      memory.undone()
      throw error
    } finally {
      if (isOutermost) {
        isUnderWay = false
        memory.ended()
      }
    }
    if (!isOutermost) return result
    options.onCommitted?.(shared.writesDeferred())
    for (const one of toDo.splice(0)) {
      try {
        one()
      } catch (error) {
        // What is committed is said to be, whatever becomes of what follows: that is an error by itself.
        queueMicrotask(() => {
          throw error
        })
      }
    }
    return result
  }
  function begun<T>(work: () => T): T {
    isUnderWay = true
    memory.began()
    return work()
  }
  function afterCommit(work: () => void) {
    if (isUnderWay) toDo.push(work)
    else work()
  }
  const { onDeferredTrouble: onTrouble } = options
  const shared = createSharedCommit({ db, transaction })
  const deferred = createDeferredWrites({ writer: shared, afterCommit, ...(onTrouble ? { onTrouble } : {}) })
  const texts = textStore(db, memory, deferred, afterCommit, options.onDamage)
  const documents = documentStore(db, memory, now, newId, { versions, texts, colours })
  const textOf = (number: number) => {
    const { text, ...document } = documents.get(number)
    return { ...document, content: text.whole }
  }
  const renders = renderStore(db, options.renderer ?? '1', deferred)
  const index = searchIndex(db, deferred, { textOf, transaction, afterCommit })
  return {
    db,
    /** Of SQLite. */
    sqlite: db.prepare('SELECT sqlite_version()').pluck().get() as string,
    now,
    users,
    documents,
    versions,
    history: historyStore(db, colours),
    guestVersions: guestVersionStore(db, now),
    shareLinks: shareLinkStore(db, memory, now, newId, deferred),
    sharing: sharingStore(db, now),
    copiedLinks: copiedLinkStore(db, now),
    linkVisits: linkVisitStore(db, now),
    comments: commentStore(db, now, newId, colours),
    suggestions: suggestionStore(db, now, newId, colours),
    seenFeedback: seenFeedbackStore(db),
    colours,
    guests: guestStore(db, now),
    rounds: roundStore(db, now, newId),
    files: fileStore(db, now, newId),
    apiKeys: apiKeyStore(db, memory, now, newId, users.find, deferred),
    signInLinks,
    sessions: sessionStore(db, memory, now, users.find, deferred, signInLinks),
    idempotencyRecords: idempotencyRecordStore(db, now),
    renders,
    search: searchReader(db, textOf, index.soon),
    searchIndex: index,
    forgetting: forgettingStore(db, now, texts, colours),
    /** Takes what was forgotten out of the indexes, in parts that are transactions of their own. */
    cleanIndexes: () =>
      cleanIndexes(db, { indexSome: () => index.write(20), sweepSome: () => index.sweepWords() }),
    trash: trashStore(db, now, documents),
    events: eventStore(db, now, deferred),
    webhooks: webhookStore(db, now, newId, deferred),
    deliveries: deliveryStore(db, now, newId),
    allowedOrigins: allowedOriginStore(db, memory),
    memory,
    /** What can wait goes this way. */
    deferred,
    /** Runs `work` in one transaction; what it throws undoes everything. `work` must not await. */
    transaction,
    /** Runs `work` as a part of a transaction with others' that arrive together. Whoever is acknowledged goes this way. */
    write: shared.write,
    flush: shared.flush,
    /** Runs `work` now, or if a transaction is under way once it is committed; never if it is undone. */
    afterCommit,
    /**
     * How long a write waits, in ms, while another process writes; nobody else of this process is answered meanwhile.
     * At 0 it fails at once, and whoever wants to wait tries again.
     */
    setBusyTimeout: (ms: number) => void db.pragma(`busy_timeout = ${ms}`),
    /** Gives the system back what isn’t needed while little is done. */
    releaseMemory: () => releaseMemory(db),
    /** Whether the database can be read, and holds what it should as far as a glance tells. */
    looksSound(): boolean {
      try {
        if (db.inTransaction) db.exec('ROLLBACK')
        return isGalleys(db) && users.list().length > 0
      } catch (error) {
        return isBusy(error)
      }
    },
  }
}
