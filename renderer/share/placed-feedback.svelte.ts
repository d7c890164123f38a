import type { Comment } from '../../server/contract/records/comments.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { ClientOf } from '../api/client-of.ts'
import { newsAbout, type DocumentNews } from '../api/document-news.ts'
import type { Since } from '../feedback/optimistic-list.svelte.ts'
import { Feedback, type FeedbackOptions } from '../feedback/feedback.svelte.ts'
import { isMutation, type Message } from '../feedback/message.ts'
import { inReadingOrder } from '../feedback/suggestion-order.ts'
import { Decisions, tellDecisions } from './decisions.svelte.ts'
import type { KeptFeedback } from './offline-copy.svelte.ts'
import type { ShareRoute } from './share-routes.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { Chosen } from './text-pane.ts'

interface PlacedFeedbackOptions extends FeedbackOptions {
  api: ClientOf<ShareRoute>
  documentId: string
  /** Whether the link shows suggestions too. */
  withSuggestions: () => boolean
  text: ShownText
  /** Shows all of them in a list. */
  onShowAll: () => void
}

/** Said when the marks of a text can't be had. */
export const unplacedNotice = 'This text is too long or intricate to show in it where comments stand.'

const idsOf = ({ marks }: { marks: readonly Mark[] }) => new Set(marks.map(({ id }) => id))
const asked = (query: Since | undefined) => (query ? { query } : {})

/** What is said of the document with where it stands on the page, and what its reader is told of it. */
export class PlacedFeedback extends Feedback {
  #marks = $state.raw<{ revision: number; marks: readonly Mark[] }>({ revision: 0, marks: [] })
  /** Whether the text is too much to find in it where they stand. */
  unplaced = $state(false)
  /** What arrived from this page, and where its words stood in the text that was shown to its writer. */
  arrivals = $state.raw<ReadonlyMap<string, Chosen | null>>(new Map())
  /** Where the newest text has what is marked in it; null where that isn’t known. */
  #standing = $state.raw<ReadonlySet<string> | null>(null)
  /** How often the server has said what there is. */
  heard = $state(0)
  readonly decisions: Decisions
  readonly #options: PlacedFeedbackOptions
  readonly #params: { id: string }

  /** Decided ones of which there is still to tell. */
  readonly decided = $derived(
    this.suggestions.filter(({ id, status }) => status !== 'pending' && this.decisions.shown.has(id)),
  )

  constructor(options: PlacedFeedbackOptions) {
    super(options)
    this.#options = options
    this.#params = { id: options.documentId }
    this.loadAnew = () => this.load()
    this.decisions = new Decisions(options.documentId, (own) => {
      const [{ id }] = own as readonly [Suggestion]
      const action = { label: 'Look at it', run: () => options.onShow(id) }
      this.notify({ kind: 'info', text: tellDecisions(own), action })
    })
  }

  override get suggestions(): readonly Suggestion[] {
    return this.#options.withSuggestions() ? super.suggestions : []
  }

  /** Suggestions as they are listed: all of them, or those of which there is something to do or to tell. */
  listed(all: boolean): Suggestion[] {
    return inReadingOrder(all ? this.suggestions : [...this.pending, ...this.decided])
  }

  /** Where they stand. Marks count in the text of their own revision: in another’s they would stand on wrong words. */
  get marks(): readonly Mark[] {
    const { revision, marks } = this.#marks
    return revision === this.#options.text.revision ? marks : []
  }

  /** Whether the newest text has the words that became of a decided suggestion; null where nobody can say. */
  stands({ id, anchor }: Suggestion): boolean | null {
    return anchor === null ? null : (this.#standing?.has(id) ?? null)
  }

  /** `id` is what it has become, where its record isn’t known yet. */
  override arrived(message: Message, record: Comment | Suggestion | null, id = record?.id ?? null): void {
    super.arrived(message, record)
    const isNew = !isMutation(message) && !('parent_id' in message.body && message.body.parent_id)
    if (id !== null && isNew) this.arrivals = new Map([...this.arrivals, [id, message.place]])
  }

  /** Shows what was kept, until something newer is known. */
  restore({ comments, suggestions, places, marks }: KeptFeedback): void {
    const placedIn = new Map(places)
    this.commentList.restore(comments, placedIn)
    this.suggestionList.restore(suggestions, placedIn)
    this.#marks = marks
    this.#standing = idsOf(marks)
  }

  get all(): KeptFeedback {
    const places = [...this.commentList.places, ...this.suggestionList.places]
    return { comments: this.comments, suggestions: this.suggestions, places, marks: this.#marks }
  }

  /** Asks what there is now, as far as some news say that it may be another. Rejects when no answer comes. */
  async load(news: readonly DocumentNews[] | null = null): Promise<void> {
    const { api, text, withSuggestions } = this.#options
    const marking = this.#findMarks()
    // They tell what the link allows by now, and so what may be asked for.
    if (newsAbout(news, 'permission')?.length) await marking
    const wanted = this.wanted(news)
    const takeComments = this.commentList.begin(wanted.comments)
    // Where the link shows none nobody says that there are none: the list stays as it was last told.
    const wantedSuggestions = withSuggestions() ? wanted.suggestions : 'nothing'
    const takeSuggestions = this.suggestionList.begin(wantedSuggestions)
    const params = this.#params
    const placedIn: { comments?: number; suggestions?: number } = {}
    const [marks, comments, suggestions] = await Promise.all([
      marking,
      wanted.comments === 'nothing'
        ? []
        : api.call('listComments', {
            ...{ params, ...asked(this.commentList.query(wanted.comments)) },
            placedIn: (revision) => (placedIn.comments = revision),
          }),
      wantedSuggestions === 'nothing'
        ? []
        : api.call('listSuggestions', {
            ...{ params, query: { ...this.suggestionList.query(wantedSuggestions), replies: 'true' } },
            placedIn: (revision) => (placedIn.suggestions = revision),
          }),
    ])
    const told = this.decisions.shown
    this.decisions.learn(suggestions)
    // What is news only now has a place that wasn’t asked for yet.
    const placed = told === this.decisions.shown ? marks : await this.#findMarks()
    text.heard(placed.revision)
    // What was asked for before something arrived lacks it, or doesn’t know yet whose it is.
    const isTaken =
      takeComments(comments, placedIn.comments) && takeSuggestions(suggestions, placedIn.suggestions)
    if (!isTaken) return this.load()
    if (placed.revision === text.revision && placed.limited === null) this.#marks = placed
    this.#standing = placed.limited === null ? idsOf(placed) : null
    this.heard++
    const isNews = placed.limited !== null && !this.unplaced
    this.unplaced = placed.limited !== null
    if (isNews)
      this.notify({
        kind: 'info',
        text: `${unplacedNotice} They are all in the list.`,
        action: { label: 'Show the list', run: () => this.#options.onShowAll() },
      })
  }

  #findMarks() {
    const decided = [...this.decisions.shown].join(',')
    return this.#options.api.call('listMarks', {
      params: this.#params,
      ...(decided ? { query: { decided } } : {}),
    })
  }
}
