import { ChangeSet, Text } from '@codemirror/state'
import type { AlikeWords, Update } from '../contract/records/changes.ts'
import type { Range } from '../contract/records/anchors.ts'
import { limits } from '../contract/limits.ts'
import { changesFromJson, changesToJson, type ChangesJson } from './change-set.ts'
import { contentHash, hasherLike } from './content-hash.ts'
import { crossedMarks } from './crossed-marks.ts'
import { standingBefore, withStanding } from './marks-put.ts'
import { TextLineage, type Lineage } from './lineage.ts'
import {
  inWholePieces,
  toTheLetter,
  withoutPart,
  withoutReturned,
  type OutgoingChange,
} from './outgoing-change.ts'
import type { Readable } from './pieced-text.ts'
import { rebase, type RebasedChange } from './rebase.ts'
import { movedAlike } from './moved-alike.ts'
import type { OwnStep } from './doing.ts'
import type { KnownPart } from './known-parts.ts'
import { OwnRemovals } from './own-removals.ts'
import type { TakenWords } from './taken-words.ts'
import { followAlike, ToldAlike } from './told-alike.ts'
import { followParts, OwnSteps, takenBy, type ToldSteps } from './told-steps.ts'
import { partedAfter, partedBy, type Parted } from './parted.ts'
import { follow, placeAfter, RecentChanges } from './recent-changes.ts'

/** What the server may not have, as a copy that outlives this one needs it to find out. */
export interface WaitingChanges {
  /** Of the change that is on its way, or of the last that was. */
  number: number
  /** On its way, and after it what isn’t yet, each on the text that the one before leaves. */
  sending: ChangesJson | null
  unsent: ChangesJson | null
  /** Whether what is on its way goes on with what was put in before it. */
  goesOn?: boolean
}

/** Changes up to the last that is this copy’s own, and those after it. */
export function upToOwn(updates: readonly Update[]): [arrived: Update[], others: Update[]] {
  const next = updates.findLastIndex(({ changes }) => changes === null) + 1
  return [updates.slice(0, next), updates.slice(next)]
}

/** How what others did met what was done here, in the text that it leaves. */
interface Met {
  /** What they took out that was taken out here too. */
  taken: TakenWords[]
  /** What they wrote as others had. */
  alike: AlikeWords[]
  /** Which steps of theirs it has, in the text before it and after it. */
  steps: MetSteps | null
}

/** What is told of steps of others, and which has taken out what was taken out here, too. */
export type MetSteps = ToldSteps & { tookToo?: TakenBy[]; parted?: Parted[] }

/** What a step of others has taken out. */
export interface TakenBy {
  step: number
  says: string
}

/** This copy isn’t the server’s text with changes of its own any more: nothing more can be built on it. */
export class Diverged extends Error {}

/** Lines are split at '\n' alone, so that places are offsets in the stored string, whatever its line endings. */
/** Its parts and all of it, with the line ends that it has. */
const readable = (text: Text): Readable => ({
  length: text.length,
  slice: (from, to) => text.sliceString(from ?? 0, to),
  toString: () => text.toString(),
})

export const textOf = (content: string): Text => Text.of(content.split('\n'))

const beside: OwnStep = { doing: 'beside', number: 0, goesOn: false, takesBack: [] }

/** The one place that a change is about, where it puts so much in; null if it does anything else. */
function onlyPlace(changes: ChangeSet): { from: number; to: number; length: number } | null {
  let only: { from: number; to: number; length: number } | null = null
  let count = 0
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    if (insert.length > 0) only = { from, to, length: insert.length }
    count++
  })
  return count === 1 ? only : null
}

/** Whether all that a change does is to put something in at one place. */
function isInsertion(changes: ChangeSet): boolean {
  const only = onlyPlace(changes)
  return only !== null && only.from === only.to
}

/**
 * One editor’s copy of a text that others change too: the server’s text at some revision, the change that is on its way
 * there, and what was typed since. Others’ changes are brought in one at a time, by the function with which the server
 * brings in this one’s, so that all copies come to the same text. It knows of no editor and no network.
 */
export class SharedText {
  #revision: number
  #hash: number | null
  #confirmed: Text
  #current: Text
  #number = 0
  #sending: ChangeSet | null = null
  #unsent: ChangeSet | null = null
  /** The last change that was left, since it changed nothing any more; it may still come late, and is made then. */
  #left: number | null = null
  /** Whether these go on with what was put in before them, which is told with a change and stays so. */
  #sendingGoesOn = false
  #unsentGoesOn = false
  /** What was put in here last, in one piece, and where it is now. */
  #own: Range | null = null
  #removals = new OwnRemovals()
  readonly #alike = new ToldAlike()
  readonly #steps = new OwnSteps()
  /** The suggestions right at whose words what is on its way was written, and what isn’t yet. */
  #sendingBeside: readonly string[] = []
  #unsentBeside: readonly string[] = []
  readonly #past = new RecentChanges()
  readonly #lineage: TextLineage

  constructor({ revision, content }: { revision: number; content: string }) {
    this.#revision = revision
    this.#hash = contentHash(content)
    this.#confirmed = this.#current = textOf(content)
    this.#lineage = new TextLineage(this.#confirmed)
  }

  /** A copy as an earlier one left it, of which the server has a text and has heard of some of what waits. */
  static restored(at: { revision: number; content: string }, waiting: WaitingChanges): SharedText {
    const text = new SharedText(at)
    const read = (changes: ChangesJson | null) => changes && changesFromJson(changes)
    text.#number = waiting.number
    text.#sending = read(waiting.sending)
    text.#unsent = read(waiting.unsent)
    text.#sendingGoesOn = waiting.goesOn ?? false
    for (const change of [text.#sending, text.#unsent])
      if (change) text.#current = change.apply(text.#current)
    return text
  }

  get waiting(): WaitingChanges {
    const write = (changes: ChangeSet | null) => changes && changesToJson(changes)
    const [sending, unsent] = [write(this.#sending), write(this.#unsent)]
    return { number: this.#number, sending, unsent, goesOn: this.#sendingGoesOn }
  }

  /** How the server’s text has come about; its origin stays the same for long. */
  get lineage(): Lineage {
    return this.#lineage.told
  }

  /** The revision of the server’s text that this one is built on. */
  get revision(): number {
    return this.#revision
  }
  /** The server’s text at that revision. */
  get confirmed(): Text {
    return this.#confirmed
  }
  /** With everything that was changed here. */
  get current(): Text {
    return this.#current
  }
  /** Whether the server may not have all of it. */
  get isDirty(): boolean {
    return this.#sending !== null || this.#unsent !== null || this.#alike.isDue || this.#steps.isDue
  }
  get isSending(): boolean {
    return this.#sending !== null
  }
  /** What makes the text here of the server’s. */
  get own(): ChangeSet {
    return this.#waiting().reduce((all, one) => all.compose(one), ChangeSet.empty(this.#confirmed.length))
  }

  /** Something was changed here. */
  change(changes: ChangeSet, step: OwnStep = beside): void {
    this.#steps.add(changes, step, this.#unsent)
    if (changes.empty) return
    const goesOn = this.#followOwn(changes)
    if (this.#unsent === null) this.#unsentGoesOn = goesOn
    const returned = this.#removals.add(changes, { text: this.#current, unsent: this.#unsent }, step)
    this.#current = changes.apply(this.#current)
    const unsent = this.#unsent ? this.#unsent.compose(changes) : changes
    // What was put in and taken out again leaves nothing to send, nor does what was taken out and put back.
    const isNew = step.doing === 'typing' || step.doing === 'beside'
    const left = isNew ? unsent : this.#withoutReturned(unsent, returned)
    this.#unsent = left.empty ? null : left
  }

  /** Tells the others of words of the text here that they wrote alike. */
  tellAlike(words: readonly AlikeWords[]): void {
    this.#alike.add(followAlike(words, [toTheLetter(this.own, this.#confirmed).invertedDesc]))
  }

  /** What was changed last was written right at the words of suggestions that were drawn, and is to stand beside them. */
  writtenBeside(ids: readonly string[]): void {
    this.#unsentBeside = [...new Set([...this.#unsentBeside, ...ids])].slice(-limits.writtenBeside)
  }

  /** Another editor’s history begins, which takes back nothing of what was done before. */
  forgetSteps(): void {
    this.#removals.forgetSteps()
    this.#steps.begin()
  }

  #withoutReturned(changes: ChangeSet, returned: readonly KnownPart[]): ChangeSet {
    const before = this.#sending?.apply(this.#confirmed) ?? this.#confirmed
    return withoutReturned(this.#withoutParts(changes, returned, before), before)
  }

  #withoutParts(changes: ChangeSet, returned: readonly KnownPart[], before: Text): ChangeSet {
    const moved: KnownPart[] = []
    const left = returned.reduce((all, one) => {
      const without = withoutPart(all, one, before)
      if (without === all) moved.push(one)
      return without
    }, changes)
    this.#removals.moves(moved)
    return left
  }

  /**
   * Knows where what was put in last is after a change made here, and answers whether that only goes on with it. What is
   * written over other words is gone on with as well; it doesn’t go on with anything itself.
   */
  #followOwn(changes: ChangeSet): boolean {
    const own = this.#own
    const put = onlyPlace(changes)
    if (!put) {
      this.#mapOwn(changes)
      return false
    }
    const { from, to, length } = put
    const isBehind = own !== null && own.start < from && to <= own.end
    this.#own = isBehind
      ? { start: own.start, end: own.end + length - (to - from) }
      : { start: from, end: from + length }
    return isBehind && from === to
  }

  #mapOwn(changes: ChangeSet): void {
    if (!this.#own) return
    const start = changes.mapPos(this.#own.start, 1)
    const end = changes.mapPos(this.#own.end, -1)
    this.#own = start < end ? { start, end } : null
  }

  /** What waits, in order. What does more than put something in at one place isn’t of one piece with anything. */
  #waitingChanges(): RebasedChange[] {
    const [sending, unsent] = [this.#sending, this.#unsent]
    const isOnePiece = unsent !== null && this.#unsentGoesOn && isInsertion(unsent)
    return [
      ...(sending ? [{ changes: sending, goesOn: this.#sendingGoesOn }] : []),
      ...(unsent ? [{ changes: unsent, goesOn: isOnePiece }] : []),
    ]
  }

  /** What to send now, or once more if it may not have arrived; null if there is nothing. */
  outgoing(): OutgoingChange | null {
    if (this.#sending === null) {
      if (!this.isDirty) return null
      const unsent = this.#unsent ?? ChangeSet.empty(this.#confirmed.length)
      const change = toTheLetter(unsent, this.#confirmed)
      this.#unsent = null
      if (change.empty && !this.#alike.isDue && !this.#steps.isDue) {
        this.#removals.sent()
        this.#removals.arrived()
        return null
      }
      this.#sending = change
      this.#removals.sent()
      this.#alike.sent()
      this.#steps.sent()
      this.#sendingBeside = this.#unsentBeside
      this.#unsentBeside = []
      this.#sendingGoesOn = this.#unsentGoesOn && isInsertion(change)
      this.#number++
    }
    const { changes, goesOn } = { changes: this.#sending, goesOn: this.#sendingGoesOn }
    const [alike, steps, beside] = [this.#alike.sending, this.#steps.sending, this.#sendingBeside]
    return {
      base: this.#revision,
      hash: this.#hash,
      number: this.#number,
      changes,
      goesOn,
      alike,
      steps,
      beside,
    }
  }

  /**
   * The server has answered a change. It makes none of which others had left nothing before it came, unless it was made
   * by then: that one is over, too.
   */
  answered({ number, changes }: OutgoingChange): void {
    if (!changes.empty || !this.#sending?.empty || number !== this.#number) return
    this.#sending = null
    this.#left = number
    this.#removals.arrived()
    this.#alike.arrived()
    this.#steps.arrived()
  }

  /** The server has refused what was sent for what it is: it is sent in one with what is written next. */
  takeBack(): void {
    if (this.#sending === null) return
    this.#unsentGoesOn = this.#sendingGoesOn
    const returned = this.#removals.takenBack(this.#sending)
    this.#alike.takenBack()
    this.#steps.takenBack(this.#sending, this.#unsent)
    this.#unsentBeside = [...this.#sendingBeside, ...this.#unsentBeside].slice(-limits.writtenBeside)
    const all = this.#unsent ? this.#sending.compose(this.#unsent) : this.#sending
    this.#sending = null
    const left = this.#withoutParts(all, returned, this.#confirmed)
    this.#unsent = left.empty ? null : left
  }

  /**
   * Takes in what the server says has changed; what is known already is passed over. Answers what that does to the
   * text here, one after the other. `onMet` is told how each of them met what was done here.
   * @throws Diverged
   */
  receive(updates: readonly Update[], onMet?: (met: Met) => void): ChangeSet[] {
    return updates.flatMap((update) => {
      if (update.revision <= this.#revision) return []
      const change =
        update.changes === null ? this.#acknowledge(update) : this.#takeIn(update, update.changes, onMet)
      this.#revision = update.revision
      this.#hash = update.hash
      return change && !change.empty ? [change] : []
    })
  }

  /** Before anything is taken in: what is here stays as it was. */
  #requireLength({ newLength }: ChangeSet, { revision, length }: Update): void {
    if (newLength !== length) throw new Diverged(`revision ${revision} is another text here`)
  }

  #acknowledge(update: Update): null {
    const { number, revision } = update
    const isLeft = this.#sending === null && number === this.#left
    const sent = isLeft ? ChangeSet.empty(this.#confirmed.length) : this.#sending
    if (!sent || number !== this.#number) throw new Diverged(`change ${number} was never sent from here`)
    this.#requireLength(sent, update)
    this.#confirm(sent, revision)
    this.#sending = null
    this.#removals.arrived()
    this.#alike.arrived()
    this.#steps.arrived()
    return null
  }

  #takeIn(update: Update, json: NonNullable<Update['changes']>, onMet?: (met: Met) => void): ChangeSet {
    const changes = ChangeSet.fromJSON(json)
    if (changes.length !== this.#confirmed.length) throw new Diverged('a change of another text')
    this.#requireLength(changes, update)
    // In the pieces that were typed, what was written over a word would be torn by who writes behind that.
    this.#unsent &&= inWholePieces(this.#unsent)
    const [before, own] = [this.#confirmed, this.own]
    this.#confirm(changes, update.revision)
    const waiting = this.#waitingChanges()
    const { ours, over } = rebase(waiting, changes)
    const overSending = this.#sending ? rebase(waiting.slice(0, 1), changes).over : changes
    const parted = update.steps ? partedBy(changes, { before, own, ours, over }) : []
    const takenBefore = update.steps ? followParts(update.steps.taken, this.#waiting()) : []
    this.#steps.takeIn(changes, overSending, over)
    const text = over.apply(this.#current)
    const doubled = movedAlike(before, waiting, ours, changes).map(({ start, end }) => ({
      from: start,
      to: end,
    }))
    const once = ChangeSet.of(doubled, text.length)
    const nested = crossedMarks(waiting, ours, { theirs: changes, over, text })
    const mended = once.compose(nested.changes.map(once))
    this.#mapOwn(over)
    const { taken, out } = this.#removals.takeIn(changes, this.#sending && waiting[0]!, over, mended)
    if (this.#sending) this.#sending = ours.shift()!
    if (this.#unsent) this.#unsent = ours.shift()!
    this.#current = out.apply(text)
    if (!out.empty) {
      this.#mapOwn(out)
      const unsent = this.#unsent ? this.#unsent.compose(out) : out
      this.#unsent = unsent.empty ? null : unsent
    }
    const alike = followAlike(update.alike ?? [], this.#waiting())
    const steps = update.steps
      ? {
          ...{ ...update.steps, taken: takenBefore, tookToo: takenBy(update.steps, before) },
          put: followParts(update.steps.put, this.#waiting()),
          ...(parted.length > 0 ? { parted: partedAfter(parted, out) } : {}),
        }
      : null
    if (taken.length + alike.length > 0 || steps) onMet?.({ taken, alike, steps })
    if (out.empty) return over
    const isOnlyNested = once.empty && out.newLength === nested.changes.newLength
    return withStanding(over.compose(out), isOnlyNested ? standingBefore(nested.standing, over) : [])
  }

  #confirm(changes: ChangeSet, revision: number): void {
    this.#confirmed = changes.apply(this.#confirmed)
    this.#alike.follow(changes)
    this.#past.add(this.#revision, revision, changes.desc)
    this.#lineage.add(changes, this.#confirmed)
  }

  /**
   * Takes in changes as far as one of them is this copy’s own, which the server had before what follows; answers those
   * that follow.
   */
  receiveOwn(updates: readonly Update[]): readonly Update[] {
    const [arrived, others] = upToOwn(updates)
    this.receive(arrived)
    return others
  }

  /**
   * Goes on from another text of the server’s, and what is here instead of it: where nothing else leads there. Answers
   * what that takes out which was taken out here too.
   * @param merged what others have made of the server’s last text, as far as can be told, and what makes of the one here
   * what is shown then
   */
  startAnew(
    { revision, content }: { revision: number; content: string },
    mine: ChangeSet,
    merged?: { changes: ChangeSet; over: ChangeSet },
  ): TakenWords[] {
    const [first = null] = this.#sending ? this.#waitingChanges() : []
    const { taken } = merged ? this.#removals.takeIn(merged.changes, first, merged.over) : { taken: [] }
    const before = this.#confirmed.length
    this.#revision = revision
    this.#hash = contentHash(content)
    this.#confirmed = textOf(content)
    this.#lineage.begin(this.#confirmed)
    this.#past.forget()
    this.#removals = new OwnRemovals()
    this.#alike.takenBack()
    this.#steps.forget()
    this.#alike.follow(merged ? merged.changes : ChangeSet.of({ from: 0, to: before }, before))
    this.#removals.add(mine, { text: this.#confirmed, unsent: null }, null)
    this.#sending = null
    this.#unsent = mine.empty ? null : mine
    this.#unsentGoesOn = false
    this.#own = null
    this.#current = mine.apply(this.#confirmed)
    return taken
  }

  /** Where places of the server’s text are now; what is gone is empty. */
  placesNow(places: readonly Range[]): Range[] {
    return places.map((place) => follow(place, this.#waiting()))
  }

  /**
   * Where a place of the server’s text at some revision is now; what is gone is empty. Null where that text is yet to
   * come, or so long ago that what has changed since isn’t known any more.
   * @param words what is to be put in there
   */
  placeNow(place: Range, revision: number, words = ''): Range | null {
    const since = revision > this.#revision ? null : this.#past.since(revision, this.#revision)
    return (
      since && placeAfter(place, [...since, ...this.#waiting()], { words, text: readable(this.#current) })
    )
  }

  #waiting(): ChangeSet[] {
    return [this.#sending, this.#unsent].filter((one) => one !== null)
  }

  /** Whether the server’s text is the same here; reads all of it, and can be stopped on the way. */
  *compared(): Generator<void, boolean> {
    const told = this.#hash
    if (told === null) return true
    const hash = hasherLike(told)
    for (const part of this.#confirmed) {
      hash.add(part)
      yield
    }
    return hash.value === told
  }
}
