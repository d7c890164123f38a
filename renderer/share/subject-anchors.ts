import type { Anchor } from '../../server/contract/records/anchors.ts'
import { ApiError, isAnswer, type ClientOf } from '../api/client-of.ts'
import type { Link } from './link.svelte.ts'
import type { ShareRoute } from './share-routes.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { Subject } from './subject.ts'
import type { Chosen } from './text-pane.ts'

/** The words that were chosen are no longer in the text. */
export class WordsGone extends Error {}

interface SubjectAnchorsOptions {
  api: ClientOf<ShareRoute>
  documentId: string
  link: Link
  text: ShownText
}

/** Finds where in the source it stands what is written about. */
export class SubjectAnchors {
  readonly #options: SubjectAnchorsOptions

  constructor(options: SubjectAnchorsOptions) {
    this.#options = options
  }

  /**
   * The anchor of what is written about; null for the whole document. When the text has changed since, the server
   * follows the words through the changes. Where it can’t, the new text is shown and the same words are looked for in
   * it. Rejects with `WordsGone` if they aren’t there.
   */
  async find(subject: Subject): Promise<Anchor | null> {
    if (subject.anchor || !subject.chosen) return subject.anchor
    const { api, documentId, text } = this.#options
    for (let attempt = 0; ; attempt++) {
      const { revision, from, to }: Chosen = subject.chosen
      try {
        const body = { revision, from, to }
        const located = await api.call('locateSelection', { params: { id: documentId }, body })
        subject.anchor = located.anchor
        // What is said stands beside the text that it is about now. Without that the anchor is no less right.
        if (located.revision !== text.revision) await text.renew().catch(() => {})
        return located.anchor
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED' || attempt === 3) throw error
        if (subject.chosen.revision === text.revision) await text.renew()
        const again = text.pane.findAgain(subject.chosen)
        if (!again) throw new WordsGone()
        subject.chosen = again
      }
    }
  }

  /** The anchor, or where the words stand on the page if there is nobody to ask for it. */
  async findOrPlace(subject: Subject): Promise<{ anchor: Anchor | null; place: Chosen | null }> {
    const { chosen } = subject
    if (!subject.anchor && this.#options.link.state === 'lost') return { anchor: null, place: chosen }
    try {
      return { anchor: await this.find(subject), place: subject.chosen }
    } catch (error) {
      if (error instanceof ApiError && !isAnswer(error)) return { anchor: null, place: subject.chosen }
      throw error
    }
  }
}
