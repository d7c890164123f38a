import { parentPort } from 'node:worker_threads'
import { isHashOf } from '../domain/content-hash.ts'
import type { WorkerReply } from '../threads/worker-thread.ts'
import { openDatabase, type Db } from './database.ts'
import type { TextName } from './held-texts.ts'
import { keyframeStore } from './keyframes.ts'
import { logStore } from './log.ts'
import { readKept, ReplayedTexts } from './replayed-texts.ts'
import { searchReader, type FoundDocument, type SearchRequest } from './search.ts'
import type { SearchJob } from './search-threads.ts'
import type { KeptText } from '../threads/kept-text.ts'

const port = parentPort
if (!port) throw new Error('the search worker runs in a worker thread')

type Row = TextName & { length: number; title: string; content: KeptText | null }

/** Reads documents, and keeps nothing of them. */
function documentReader(db: Db) {
  const replayed = new ReplayedTexts(logStore(db), keyframeStore(db))
  const byNumber = db.prepare<[number], Row>(
    `SELECT d.number, d.title, d.revision, d.hash, d.length, k.content FROM documents d
     LEFT JOIN keyframes k ON k.document = d.number AND k.revision = d.revision WHERE d.number = ?`,
  )
  return (document: number): { title: string; content: string } => {
    const { number, title, revision, hash, length, content: kept } = byNumber.get(document)!
    const whole = kept === null ? null : readKept(kept)
    if (whole?.length === length) return { title, content: whole }
    const text = replayed.at(number, revision)
    const isSound = text !== null && isHashOf(hash, text)
    return { title, content: isSound ? text : replayed.lastReadable(number, revision) }
  }
}

/** Searches on a connection of its own, which only reads. */
function openSearch(file: string) {
  const db = openDatabase({ file, readonly: true })
  const search = searchReader(db, documentReader(db))
  return {
    // All that one search reads is of one moment.
    find: db.transaction((request: SearchRequest) => search.find(request)),
    close: () => db.close(),
  }
}

let opened: ReturnType<typeof openSearch> | undefined

const reply = (message: WorkerReply<FoundDocument[]>): void => port.postMessage(message)

port.on('message', ({ file, request }: SearchJob) => {
  reply({ kind: 'begun' })
  try {
    opened ??= openSearch(file)
    reply({ kind: 'done', result: opened.find(request) })
  } catch (error) {
    // What it has in memory may be in disorder.
    opened?.close()
    opened = undefined
    reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
reply({ kind: 'ready' })
