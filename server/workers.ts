import type { Logger } from 'pino'
import { createCleaner } from './cleaning.ts'
import type { ClosingSteps } from './closing-steps.ts'
import type { DataFolder } from './data-folder.ts'
import { createRenderer } from './markdown/index.ts'
import { createCleaningThreads } from './store/cleaning-threads.ts'
import { isRestoreUnderWay } from './store/restoring-copies.ts'
import { createSearchThreads } from './store/search-threads.ts'
import type { Store } from './store/store.ts'
import { createTextThreads } from './threads/text-threads.ts'

interface WorkersOptions {
  folder: DataFolder
  store: Store
  log: Logger
  closing: ClosingSteps
}

/** What takes long is done on threads of its own, so that it holds nobody up. */
export function createWorkers({ folder, store, log, closing }: WorkersOptions) {
  const markdown = createRenderer()
  closing.push(() => markdown.close())
  const texts = createTextThreads()
  closing.push(() => texts.close())
  const searches = createSearchThreads({
    file: folder.database,
    onFailure: (error) => log.error(error, 'a search could not be done on another thread'),
  })
  closing.push(() => searches.close())
  const cleanings = createCleaningThreads()
  closing.push(() => cleanings.close())
  const cleaner = createCleaner({
    store,
    cleanFiles: () => cleanings.cleanFiles(folder.database),
    isHeld: () => isRestoreUnderWay(folder.backups),
    onFailure: (error) => log.error(error, 'what was forgotten could not be taken out of the files yet'),
  })
  closing.push(() => cleaner.close())
  return { markdown, texts, searches, cleanings, cleaner }
}
