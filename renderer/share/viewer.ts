import { watch } from '../api/watch.ts'
import { loadPart } from '../ui/load-part.ts'
import { EarlyKeys } from './early-keys.ts'
import { MissingRest } from './missing-rest.ts'
import { untilWanted } from './staying.ts'
import type * as WholePage from './whole-page.ts'
import './viewer.css'

/*
 * The first view is the text in its face, which needs no script. All that the link permits beside reading it is loaded
 * after, in one piece: at once for who begins to do something, else once the text has stood there for a moment.
 */
const keys = new EarlyKeys()
await untilWanted()

const missing = new MissingRest(document.body.dataset.permission)
const { putUp } = await new Promise<typeof WholePage>((resolve) => {
  const stop = watch(
    async () => {
      try {
        resolve(await loadPart(() => import('./whole-page.ts')))
        stop()
      } catch (error) {
        missing.say()
        throw error
      }
    },
    { every: 2_000 },
  )
})
missing.end()
putUp()
keys.giveBack()
