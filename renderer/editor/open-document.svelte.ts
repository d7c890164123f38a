import type { ChangeSet } from '@codemirror/state'
import type { Update, Updates } from '../../server/contract/records/changes.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import { changesFromJson } from '../../server/domain/change-set.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { knownHunks } from '../../server/domain/known-hunks.ts'
import { textDiff } from '../../server/domain/diff/index.ts'
import { mergeChanges, mergeTexts } from '../../server/domain/merge.ts'
import { Diverged, upToOwn } from '../../server/domain/shared-text.ts'
import { takenOutBy } from '../../server/domain/taken-out.ts'
import { Conflicts } from './conflicts.svelte.ts'
import { textsOf, type Base, type Draft } from './drafts.ts'
import { EditedText } from './edited-text.svelte.ts'
import { EditedTitle, type DraftTitle } from './edited-title.svelte.ts'
import { closely } from './letter-changes.ts'
import { inSlices } from './slices.ts'

/** What becomes of a document by itself, for a person to hear of. */
export type DocumentNotice =
  | { kind: 'renamed'; title: string }
  /** The text can’t be read as markdown, and is shown as it is written. */
  | { kind: 'plain' }
  /** The text here wasn’t the server’s with what was typed any more; the server’s is shown, and this was here. */
  | { kind: 'diverged'; text: string }

interface Options {
  document: Document
  /** Left by a window in whose place this one goes on: then the text is the one that it was written in. */
  goOnWith?: Draft | undefined
  /** The document as the server has it now. */
  load: () => Promise<Document>
  /** Has what comes from elsewhere brought in. */
  arrive: (bring: () => void) => void
  /** The text goes on from another one, to which nothing leads that places could follow. */
  onAnew: () => void
  /** The text isn’t what it should be, until it is again. */
  onApart?: () => void
  onTogether?: () => void
  onNotice: (notice: DocumentNotice) => void
}

/** The server’s text is asked for again after so long, where it didn’t come, in milliseconds. */
const startedOverAgain = 4_000
/** A text that has come to rest is compared after so long, in milliseconds. */
const checkedAfter = 2_000

/** Whether somebody else has changed any of the text. */
export const isByOthers = (updates: readonly Update[]) =>
  updates.some(({ changes }) => changes?.some((part) => typeof part !== 'number'))

/** A document as it was for the window that left a draft. */
const asBefore = (document: Document, draft: Draft): Document => {
  const { revision, savedTitle: title } = draft
  return { ...document, revision, title, content: textsOf(draft).saved }
}

/** All that others have changed as one. */
const changesOf = (updates: readonly Update[]) =>
  updates.map(({ changes }) => changesFromJson(changes ?? [])).reduce((all, changes) => all.compose(changes))

/**
 * A document that is open: its title and its text as they stand here, and what the server last said of both. What the
 * server says goes into what is here, which is never lost.
 */
export class OpenDocument {
  /** What the server last said, without the text. */
  facts = $state.raw<Omit<Document, 'content'>>()!
  /** Whether what is shown isn’t the server’s text with what was typed, so that nothing can be said of it. */
  isApart = $state(false)
  readonly text: EditedText
  readonly conflicts = new Conflicts()
  readonly #title: EditedTitle
  readonly #options: Options
  #stopChecking = () => {}
  #startingOver: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: Options) {
    const { goOnWith } = options
    const document = goOnWith ? asBefore(options.document, goOnWith) : options.document
    const { content: _, ...facts } = document
    this.#options = options
    this.facts = facts
    this.#title = new EditedTitle(facts, goOnWith, (theirs) =>
      options.onNotice({ kind: 'renamed', title: theirs }),
    )
    this.text = new EditedText(document, goOnWith)
  }

  /** The title as it stands here. */
  get title(): string {
    return this.#title.current
  }

  /** What a draft keeps of the title. */
  get titles(): DraftTitle {
    return this.#title.draft
  }

  /** @param isOfText whether the text says so, and nobody has written it */
  rename(title: string, isOfText = false): void {
    this.#title.write(title, isOfText)
  }

  /** Takes in the title of a window that is gone; answers whether the document is called otherwise by it. */
  bringTitle(left: DraftTitle): boolean {
    return this.#title.bring(left)
  }

  /** What the server last had, as far as is known here. */
  get base(): Base {
    return { ...this.text.base, title: this.#title.saved }
  }

  /** Whether the server may not have all that was written here. */
  get isDirty(): boolean {
    return this.text.isDirty || this.isRenamed
  }
  get isRenamed(): boolean {
    return this.#title.isDirty
  }

  /** The title that is to be sent, and what to call when it is known what became of it. */
  sendTitle() {
    const sending = this.#title.send()
    const now = ({ content: _, ...facts }: Document) => {
      if (facts.revision >= this.facts.revision) this.facts = facts
    }
    return {
      ...sending,
      /** The server has taken it. */
      taken: (answer: Document) => {
        now(answer)
        sending.taken(answer.revision)
      },
      /** It has another by now. */
      refused: (theirs: Document) => {
        now(theirs)
        sending.refused(theirs)
      },
    }
  }

  /** Takes in what the server says has changed. */
  receive({ revision, title, updated_at, permission, updates }: Updates): void {
    // What was asked for later may have come earlier.
    if (revision < this.text.revision) return
    const bring = () => {
      this.text.receive(updates)
      this.#title.receive({ title, revision })
    }
    try {
      if (isByOthers(updates) || title !== this.#title.saved) this.#options.arrive(bring)
      else bring()
    } catch (error) {
      if (!(error instanceof Diverged)) throw error
      this.#differs()
      return
    }
    const now = { ...this.facts, revision, updated_at, title }
    this.facts = permission === undefined ? now : { ...now, permission }
    this.#checkLater()
  }

  /**
   * After a long absence: what was typed here is set beside what others wrote meanwhile where both changed the same words,
   * so that a person can choose. What may be on its way to the server stays what it is, and arrives, however late, as
   * that: how the text reads is changed on top of it.
   */
  rejoin({ updates: all, ...rest }: Updates): void {
    // Some may have come by another way meanwhile.
    const updates = all.filter(({ revision }) => revision > this.text.revision)
    const [arrived, later] = upToOwn(updates)
    const own = arrived.at(-1)
    // What was written after one's own change had arrived was written knowing it.
    const meanwhile = own ? arrived.slice(0, -1) : later
    const { isDirty, current: mine, own: byMine } = this.text
    const stored = this.text.base.content
    const base = toLf(stored)
    const known = meanwhile.at(-1)?.revision ?? this.text.revision
    const over = this.text.shownBy(() =>
      this.receive({ ...rest, revision: own ? known : rest.revision, updates: meanwhile }),
    )
    // Else it isn't the server's text with one's own changes, and is begun anew.
    if (this.text.revision < known) return
    const theirs = toLf(this.text.base.content)
    if (isDirty && theirs !== base) {
      const byTheirs = this.text.inLineFeeds(stored, changesOf(meanwhile))
      const sides = [
        [mine, knownHunks(base, mine, byMine)],
        [theirs, knownHunks(base, theirs, byTheirs)],
      ] as const
      this.#options.arrive(() => {
        const merged = mergeChanges(base, ...sides, takenOutBy(byTheirs))
        this.text.setFromBase(merged, { mine, over })
        this.conflicts.add(merged.conflicts)
      })
    }
    if (own) this.receive({ ...rest, updates: [own, ...later] })
  }

  /** Goes on from a document that no changes lead to, with what was typed here merged into it. */
  merge(theirs: Document): void {
    this.#options.arrive(() => {
      const { base } = this
      const { current } = this.text
      // Half a character that a draft holds would be refused again and again.
      const mine = current.toWellFormed()
      const before = toLf(base.content)
      if (this.text.isDirty) {
        const now = toLf(theirs.content)
        // What others did is told by comparing, and is all in their text, wherever it stood.
        const byTheirs = closely(before, now, textDiff(before, now))
        const merged = mergeChanges(before, [mine, knownHunks(before, mine, this.text.own)], [now, byTheirs])
        // Half a character that became a whole one is another text.
        this.text.startAnew(theirs, merged.text, { ...merged, byTheirs, isOfShown: mine === current })
        this.conflicts.add(merged.conflicts)
      } else this.text.startAnew(theirs, toLf(theirs.content))
      this.#title.receive(theirs)
    })
    const { content: _, ...facts } = theirs
    this.facts = facts
    this.#options.onAnew()
  }

  /** Takes in a text that was made of another one than this, and answers what that changes; the editor’s line ends. */
  mergeText(base: string, mine: string): ChangeSet {
    const merged = mergeTexts(base, mine.toWellFormed(), this.text.current)
    const changes = this.text.set(merged.text, merged.changesOfTheirs)
    this.conflicts.add(merged.conflicts)
    return changes
  }

  /** Begins anew where the editor shows another text than it should. */
  compareShown(): void {
    if (!this.text.isShown) this.#differs()
  }

  #differs(): void {
    if (this.isApart || this.#isClosed) return
    this.isApart = true
    this.#options.onApart?.()
    void this.#startOver()
  }

  /** Where the text here can’t be what it should be: the server’s takes its place, and what was here is handed out. */
  async #startOver(): Promise<void> {
    try {
      const theirs = await this.#options.load()
      if (this.#isClosed) return
      this.#goOnFrom(theirs)
    } catch {
      if (!this.#isClosed) this.#startingOver = setTimeout(() => void this.#startOver(), startedOverAgain)
      return
    }
    this.isApart = false
    this.#options.onTogether?.()
  }

  #goOnFrom(theirs: Document): void {
    const { isShown } = this.text
    const text = isShown ? this.text.stored : this.text.shown
    // The window that left the draft may have sent more than it could still write down.
    if (isShown && this.#options.goOnWith && this.text.isDirty) return this.merge(theirs)
    this.#options.arrive(() => this.text.startAnew(theirs, toLf(theirs.content)))
    if (text !== (isShown ? theirs.content : toLf(theirs.content)))
      this.#options.onNotice({ kind: 'diverged', text })
    this.#options.onAnew()
  }

  /** Compares the text here with what the server has told of it, when there is time for that. */
  #checkLater(): void {
    this.#stopChecking()
    const timer = setTimeout(() => {
      this.#stopChecking = inSlices(this.text.compared(), (isIntact) => {
        if (!isIntact) this.#differs()
      })
    }, checkedAfter)
    this.#stopChecking = () => clearTimeout(timer)
  }

  /** Nothing more comes in by itself. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#startingOver)
    this.#stopChecking()
  }
}
