import type { NamedPlaces, NamedWords } from '../domain/named-places.ts'
import { documentAction } from './action.ts'
import { presentDocument } from './present-document.ts'
import type { DocumentTask } from './task.ts'

/** The text that somebody has named places of, by its revision. */
interface WantedPlaces {
  revision: number
  named: readonly NamedWords[]
}

/** Where words stand in a text; null where it is another one by now. In a large text this takes another thread a while. */
export const findNamed = documentAction({
  right: 'document.read',
  effect: 'reads',
  run({ store, document, bench }: DocumentTask, { revision, named }: WantedPlaces): NamedPlaces | null {
    const present = presentDocument(store, document.id)
    if (present.revision !== revision) return null
    return bench('find', { content: present.text.whole, named })
  },
})
