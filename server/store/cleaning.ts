import type { Db } from './database.ts'

const indexes = ['documents_fts', 'search_parts_fts', 'search_words_fts'] as const
/** So many pages of an index are made anew at one time. */
const pagesAtOnce = 100

/**
 * Orders that all files are made anew. Its number is after those that are due, so that one that is under way, and may
 * have passed by what is to go, doesn’t count as this one.
 */
export function cleaningOrder(db: Db): (at: number) => void {
  const forgetWords = db.prepare(
    'INSERT INTO search_words_sweep (after) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM search_words_sweep)',
  )
  const sweepAnew = db.prepare('UPDATE search_words_sweep SET after = 0')
  const order = db.prepare('INSERT INTO cleanings (at) VALUES (?)')
  return (at) => {
    forgetWords.run()
    sweepAnew.run()
    order.run(at)
  }
}

/**
 * Orders that the files are made anew unless what is done now comes to its end, and takes the order back: its words may
 * stand in the log otherwise. The indexes are as they were then.
 */
export function orderMeanwhile(db: Db, at: number) {
  const number = Number(db.prepare('INSERT INTO main.cleanings (at) VALUES (?)').run(at).lastInsertRowid)
  const another = db.prepare<[number], 1>('SELECT 1 FROM main.cleanings WHERE number <> ?').pluck()
  return {
    number,
    isAnotherDue: () => another.get(number) !== undefined,
    takeBack: () => void db.prepare('DELETE FROM main.cleanings WHERE number = ?').run(number),
  }
}

/**
 * What stands in the search indexes of texts that aren’t there any more, taken out part by part: each part is a
 * transaction of some milliseconds. What isn’t merged keeps the words of what was removed.
 */
export function* cleanIndexes(
  db: Db,
  { indexSome, sweepSome }: { indexSome: () => boolean; sweepSome: () => boolean },
): Generator<() => void> {
  let isLeft = true
  while (isLeft) yield () => void (isLeft = indexSome())
  isLeft = true
  while (isLeft) yield () => void (isLeft = sweepSome())
  for (const index of indexes) {
    const merge = db.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`)
    const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
    // The first one, with a minus, has all of it merged, whatever has been merged before.
    let pages = -pagesAtOnce
    isLeft = true
    while (isLeft)
      yield () => {
        const before = changes.get()!
        merge.run(pages)
        isLeft = changes.get()! - before >= 2
        pages = pagesAtOnce
      }
  }
}
