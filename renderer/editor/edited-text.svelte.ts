import { ChangeSet, type Text } from '@codemirror/state'
import type { LiveUpdate } from '../../server/contract/live.ts'
import type { Range } from '../../server/contract/records/anchors.ts'
import type { AlikeWords } from '../../server/contract/records/changes.ts'
import { textDiff } from '../../server/domain/diff/index.ts'
import type { Hunk } from '../../server/domain/hunk.ts'
import type { Merged } from '../../server/domain/merged.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { alignedTo } from '../../server/domain/aligned-insertions.ts'
import type { Side } from '../../server/domain/carried-edits.ts'
import { knownHunks } from '../../server/domain/known-hunks.ts'
import { rebase } from '../../server/domain/rebase.ts'
import type { OutgoingChange } from '../../server/domain/outgoing-change.ts'
import type { OwnStep } from '../../server/domain/doing.ts'
import {
  Diverged,
  SharedText,
  textOf,
  type MetSteps,
  type WaitingChanges,
} from '../../server/domain/shared-text.ts'
import type { Parted } from '../../server/domain/parted.ts'
import type { TakenWords } from '../../server/domain/taken-words.ts'

import type { DraftText } from './drafts.ts'
import type { Editor, Met } from './editor.ts'
import { letterChanges, withoutReturning, wordChanges } from './letter-changes.ts'
import { KeptEnds } from './kept-ends.ts'
import { joinedParts } from './weave/joined.ts'
import { endsAmong, firstEnding, putLines, toEditorChanges, toStoredChanges } from './line-breaks.ts'
import { Offsets } from './offsets.ts'

/** A text as the server has it. */
interface StoredText {
  revision: number
  content: string
}

/** Between places in the stored text and in one that is shown of it. Of two that are one, the later is taken, or for side -1 the earlier. */
interface TextOffsets {
  toStored: (at: number) => number
  toEditor: (at: number, side?: -1 | 1) => number
}

/** Is told how the text changes, in its places with line feeds, and whether by typing in an editor here. */
type Follower = (changes: ChangeSet, isTyped: boolean) => void

/**
 * The text of an open document: as it is stored, with what was changed here and isn’t stored yet, and the same in the
 * editor that shows it, if one is drawn, where every line ends with a line feed.
 */
export class EditedText {
  #version = $state(0)
  #editor: Editor | null = null
  #follower: Follower | null = null
  readonly #shared: SharedText
  /** Whether every line of the stored text ends with a line feed: then it is the editor’s, place for place. */
  #isPlain: boolean
  /** How lines ended in it when there last were any: those of a text that was emptied since end so too. */
  #ending: string | undefined
  #cache: { version: number; stored: string; offsets: Offsets } | null = null
  #confirmed: { of: Text; content: string } | null = null
  #origin: { of: Text; base: DraftText['base'] } | null = null
  /** What has been shown since it was begun to be watched. */
  #shown: ChangeSet | null = null
  readonly #keptEnds = new KeptEnds()
  readonly #followed = new Set<{ changes: ChangeSet }>()

  /** @param waiting what an earlier copy had changed of it, where this one goes on in its place */
  constructor({ revision, content }: StoredText, waiting?: WaitingChanges) {
    const text = { revision, content }
    this.#shared = waiting ? SharedText.restored(text, waiting) : new SharedText(text)
    this.#isPlain = !content.includes('\r') && !this.#shared.current.toString().includes('\r')
    this.#ending = firstEnding(content)
  }

  /** Counts the text’s changes: reading it follows them without reading the text. */
  get version(): number {
    return this.#version
  }

  get editor(): Editor | null {
    return this.#editor
  }

  /** As it stands now, with line feeds. */
  get current(): string {
    return toLf(this.stored)
  }

  get stored(): string {
    return this.#read().stored
  }

  /** Between the editor’s places and those in the stored text. */
  get offsets(): TextOffsets {
    const { lines } = this
    const places = this.#editor?.places
    if (!places) return lines
    return {
      toStored: (at) => lines.toStored(places.toText(at)),
      toEditor: (at, side = 1) => places.toShown(lines.toEditor(at), side),
    }
  }

  /** Between places in the text with line feeds and those in the stored one. */
  get lines(): TextOffsets {
    return this.#isPlain ? samePlaces : this.#read().offsets
  }

  /** What the server last had, as far as is known here. */
  get base(): StoredText {
    const { confirmed, revision } = this.#shared
    if (this.#confirmed?.of !== confirmed) this.#confirmed = { of: confirmed, content: confirmed.toString() }
    return { revision, content: this.#confirmed.content }
  }

  /** What the server may not have, for a draft. Its base is the same object for as long as it is the same text. */
  get draft(): DraftText {
    const { lineage, revision, waiting } = this.#shared
    const { origin, since } = lineage
    if (this.#origin?.of !== origin) this.#origin = { of: origin, base: { content: origin.toString() } }
    return { base: this.#origin.base, since, revision, ...waiting }
  }

  get revision(): number {
    return this.#shared.revision
  }

  /** Whether the server may not have all of it. */
  get isDirty(): boolean {
    return this.#shared.isDirty
  }

  get isSending(): boolean {
    return this.#shared.isSending
  }

  /** What to send to the server, or once more if it may not have arrived; null if there is nothing. */
  outgoing(): OutgoingChange | null {
    return this.#shared.outgoing()
  }

  answered(change: OutgoingChange): void {
    this.#shared.answered(change)
  }

  takeBack(): void {
    this.#shared.takeBack()
  }

  attach(editor: Editor): void {
    this.#editor = editor
    this.#keptEnds.clear()
    this.#shared.forgetSteps()
  }

  detach(): void {
    this.#editor?.destroy()
    this.#editor = null
  }

  /** What was typed last was written right at the words of suggestions that are drawn, and is to stand beside them. */
  writtenBeside(ids: readonly string[]): void {
    this.#shared.writtenBeside(ids)
  }

  /** Has one follower told of every change from here on; null for none. */
  follow(follower: Follower | null): void {
    this.#follower = follower
  }

  /** Something was written in the editor, or put back there by undo or redo. */
  typed(changes: ChangeSet, step: OwnStep = typing): void {
    const before = this.#isPlain ? '' : this.#shared.current.toString()
    const stored = this.#isPlain ? changes : this.#keptEnds.stored(before, changes, step, this.#ending)
    const after = step.standing?.length && !this.#isPlain ? stored.apply(textOf(before)).toString() : ''
    this.#shared.change(stored, after === '' ? step : inStoredText(step, after))
    this.#follow(changes)
    this.#version++
    this.#follower?.(changes, true)
  }

  /** Makes changes of the text with line feeds, as something that is done here beside the editor. */
  replace(changes: ChangeSet): void {
    this.#change(changes)
    this.#show(changes)
  }

  /**
   * Puts another text in its place, as something that is done here, and answers what that changes. `hunks` says what
   * differs where that is known.
   */
  set(text: string, hunks?: readonly Hunk[]): ChangeSet {
    const before = this.current
    const changes = before === text ? ChangeSet.empty(before.length) : ownChanges(before, text, hunks)
    if (!changes.empty) this.replace(changes)
    return changes
  }

  /**
   * The same for a text that was merged of what the server last had and of `mine`, which was here before what came. Only
   * what was changed here goes or comes: others may move the same words of somebody else’s at the same time, which would
   * then stand there twice. In the editor it is what came that moves, so that undo finds what was written here.
   * @param over what made of it what is here now
   */
  setFromBase(merged: Merged, { mine, over }: { mine: string; over: ChangeSet }): void {
    const before = this.current
    const { text } = merged
    const base = toLf(this.base.content)
    const parts = joinedParts(
      { over: this.own, merged: changesBetween(base, text, merged.changesOfTheirs) },
      { over, merged: changesBetween(mine, text, merged.changes) },
    )
    const joined = { over: null, parts, alike: merged.alike, gaps: merged.gaps }
    if (before === text) {
      this.#show(ChangeSet.empty(before.length), { joined })
      return this.#tellJoined(merged)
    }
    const byMine = this.own.invert(textOf(base)).compose(ownChanges(base, text, merged.changesOfTheirs))
    const byTheirs = over.invert(textOf(mine)).compose(changesBetween(mine, text, merged.changes))
    this.#change(
      ownChanges(before, text, withoutReturning(byMine, before, text)),
      this.#endsOver(text, merged),
    )
    const shown = changesBetween(before, text, withoutReturning(byTheirs, before, text))
    this.#show(shown, { joined })
    this.#tellJoined(merged)
  }

  /** Others are to know whose what is merged is. */
  #tellJoined({ alike }: Pick<Merged, 'alike'>): void {
    this.#tellAlike(standingBy(alike))
    const put: Range[] = [...alike]
    this.own.iterChangedRanges((_fromA, _toA, start, end) => put.push({ start, end }))
    this.#editor?.tellOwn(put.toSorted((a, b) => a.start - b.start))
  }

  /** What others wrote as it was written here stands once, and they are to know. */
  #tellAlike(words: readonly AlikeWords[]): void {
    if (words.length === 0) return
    const { lines } = this
    const stored = ({ start, end, stands }: AlikeWords) => ({
      ...{ start: lines.toStored(start), end: lines.toStored(end), stands },
    })
    this.#shared.tellAlike(words.map(stored))
  }

  /** How the lines end of a text that was merged into what the server last had: all that are left there as they do there. */
  #endsOver(text: string, { changesOfTheirs }: Merged): readonly string[] {
    if (this.#isPlain) return []
    const { content } = this.base
    const own = ownChanges(toLf(content), text, changesOfTheirs)
    return endsAmong(this.#inStored(content, own).apply(textOf(content)).toString())
  }

  /** What makes the text here of what the server last had, with line feeds. */
  get own(): ChangeSet {
    const { own } = this.#shared
    if (this.#isPlain) return own
    return changesInLineFeeds(this.base.content, this.stored, own)
  }

  /** What takes all of that back, by the time that it is asked for, and leaves alone what anybody has written since. */
  takingBackOwn(): () => ChangeSet {
    return this.following(this.own.invert(textOf(toLf(this.base.content))))
  }

  /** What a change of the text here is by the time that it is asked for, which is once. */
  following(changes: ChangeSet): () => ChangeSet {
    const followed = { changes }
    this.#followed.add(followed)
    return () => {
      this.#followed.delete(followed)
      return followed.changes
    }
  }

  /** What made the server’s text of an earlier one, with line feeds. */
  inLineFeeds(before: string, changes: ChangeSet): ChangeSet {
    return changesInLineFeeds(before, this.base.content, changes)
  }

  /**
   * Takes in what the server says has changed; answers whether that was any text.
   * @throws Diverged
   */
  receive(updates: readonly LiveUpdate[]): boolean {
    let isOther = false
    for (const update of updates) {
      const before = this.#shared.current
      let [taken, steps]: [TakenWords[], MetSteps | null] = [[], null]
      const [changes] = this.#shared.receive([update], (met) => ({ taken, steps } = met))
      if (!changes && taken.length === 0 && !steps) continue
      isOther ||= changes !== undefined
      const over = changes ?? ChangeSet.empty(before.length)
      this.#isPlain &&= !putsInReturns(over)
      if (this.#isPlain) this.#show(over, { by: update.by, taken, steps: steps ?? undefined })
      else {
        const [old, now] = [before.toString(), this.#shared.current.toString()]
        this.#ending = firstEnding(now) ?? this.#ending
        const inEditor = ChangeSet.of(toEditorChanges(old, now, over), toLf(old).length)
        const told = steps ? stepsInLineFeeds(steps, old, now) : undefined
        this.#show(inEditor, { by: update.by, taken: takenInLineFeeds(taken, now), steps: told })
      }
    }
    return isOther
  }

  /** Whether the editor shows what it should: what throws there may keep a change from it, or from here. */
  get isShown(): boolean {
    return this.#editor === null || this.#editor.documentText() === this.current
  }

  /** As it is shown, with line feeds. */
  get shown(): string {
    return this.#editor?.documentText() ?? this.current
  }

  /**
   * Goes on from another text of the server’s, where nothing else leads there: shown is `text`, and what of that the
   * server hasn’t is a change made here. `changes` and `changesOfTheirs` say what makes it of what
   * was shown and of theirs where that is known, and `byTheirs` what differs between what the server last had and theirs.
   */
  startAnew(
    theirs: StoredText,
    text: string,
    merged?: Merged & { byTheirs: readonly Hunk[]; isOfShown: boolean },
  ): void {
    const { isShown, stored } = this
    const before = isShown ? this.current : this.shown
    const now = toLf(theirs.content)
    const mine = ownChanges(now, text, merged?.changesOfTheirs)
    const isKnown = merged !== undefined && isShown && merged.isOfShown
    const shown = changesBetween(before, text, isKnown ? merged.changes : undefined)
    const { content } = this.base
    const brought = isKnown ? this.#broughtOver(now, merged, shown) : null
    const known = brought && {
      changes: this.#inStored(content, brought.byTheirs),
      over: this.#inStored(stored, shown),
    }
    this.#ending = firstEnding(theirs.content) ?? this.#ending
    this.#isPlain =
      !theirs.content.includes('\r') && !this.#ending?.includes('\r') && !this.#keptEnds.isNeeded
    const put = this.#isPlain ? mine : this.#inStored(theirs.content, mine)
    const taken = this.#shared.startAnew(theirs, put, known ?? undefined)
    const after = known && taken.length > 0 ? known.over.apply(textOf(stored)).toString() : ''
    this.#show(shown, { taken: takenInLineFeeds(taken, after), joined: brought?.joined })
    if (merged) this.#tellJoined(merged)
  }

  /** What others have made of the server’s last text, and how that was merged with what is here. */
  #broughtOver(
    theirs: string,
    { byTheirs: hunks, ...merged }: Merged & { byTheirs: readonly Hunk[] },
    shown: ChangeSet,
  ) {
    const base = toLf(this.base.content)
    const byTheirs = ownChanges(base, theirs, hunks)
    // To the letter, and what both wrote alike at one place: what stands beside it is known by its letters.
    const mine: Side = [this.current, knownHunks(base, this.current, this.own)]
    const [, aligned] = alignedTo(mine, [theirs, [...hunks]])
    const toLetter = ChangeSet.of(letterChanges(base, theirs, aligned), base.length)
    const { ours, over } = rebase([{ changes: this.own, goesOn: false }], toLetter)
    const parts = joinedParts(
      { over: ours[0]!, merged: changesBetween(theirs, merged.text, merged.changesOfTheirs) },
      { over, merged: shown },
    )
    return { byTheirs, joined: { over, parts, alike: merged.alike, gaps: merged.gaps } }
  }

  /** Where places of what the server last had are in the editor. */
  placesNow(places: readonly Range[]): { from: number; to: number }[] {
    return this.#shared.placesNow(places).map((place) => this.#inEditor(place))
  }

  /**
   * Where a place of the server’s text at some revision is in the editor; null where that isn’t known.
   * @param words what is to be put in there
   */
  placeNow(place: Range, revision: number, words?: string): { from: number; to: number } | null {
    const now = this.#shared.placeNow(place, revision, words)
    return now && this.#inEditor(now)
  }

  /** The same in the text with line feeds. */
  lineFedPlaceNow(place: Range, revision: number, words?: string): { from: number; to: number } | null {
    const now = this.#shared.placeNow(place, revision, words)
    return now && { from: this.lines.toEditor(now.start), to: this.lines.toEditor(now.end) }
  }

  #inEditor({ start, end }: Range) {
    const { offsets } = this
    const from = offsets.toEditor(start)
    return { from, to: start === end ? from : offsets.toEditor(end, -1) }
  }

  /** How the text begins, as it is stored. */
  head(length: number): string {
    return this.#shared.current.sliceString(0, length)
  }

  /** Whether what the server last had is the same here; reads all of it, and can be stopped on the way. */
  compared(): Generator<void, boolean> {
    return this.#shared.compared()
  }

  /**
   * @param changes of the editor’s text
   * @param ends how all lines end that it makes, where that is known
   */
  #change(changes: ChangeSet, ends: readonly string[] = []): void {
    const stored = this.#isPlain ? changes : this.#inStored(this.#shared.current.toString(), changes, ends)
    this.#shared.change(stored)
  }

  #inStored(before: string, changes: ChangeSet, ends: readonly string[] = []): ChangeSet {
    const put = ends.length > 0 ? putLines(changes, toLf(before)).map((number) => ends[number]) : []
    return toStoredChanges(before, changes, { put, ...(this.#ending && { otherwise: this.#ending }) })
  }

  #follow(changes: ChangeSet): void {
    for (const one of this.#followed) one.changes = one.changes.map(changes)
  }

  /** Does something, and answers how the text is another then than it was, with line feeds. */
  shownBy(act: () => void): ChangeSet {
    this.#shown = ChangeSet.empty(this.current.length)
    act()
    const shown = this.#shown
    this.#shown = null
    return shown
  }

  #show(changes: ChangeSet, met: Met = {}): void {
    if (this.#shown) this.#shown = this.#shown.compose(changes)
    this.#follow(changes)
    this.#keptEnds.follow(changes)
    this.#version++
    try {
      this.#editor?.apply(changes, met)
    } catch (cause) {
      throw new Diverged('the editor doesn’t take what has changed', { cause })
    }
    this.#follower?.(changes, false)
  }

  #read(): { stored: string; offsets: Offsets } {
    const version = this.#version
    if (this.#cache?.version !== version) {
      const stored = this.#shared.current.toString()
      this.#cache = { version, stored, offsets: new Offsets(stored) }
    }
    return this.#cache
  }
}

const typing: OwnStep = { doing: 'typing', number: 0, goesOn: false, takesBack: [] }

/** What is told of a step, in the stored text that it leaves. */
function inStoredText(step: OwnStep, after: string): OwnStep {
  const offsets = new Offsets(after)
  const standing = step.standing?.map((one) => ({
    ...one,
    start: offsets.toStored(one.start),
    end: offsets.toStored(one.end),
  }))
  return { ...step, ...(standing && { standing }) }
}

const samePlaces = { toStored: (at: number) => at, toEditor: (at: number) => at }

function changesInLineFeeds(before: string, after: string, changes: ChangeSet): ChangeSet {
  if (!before.includes('\r') && !after.includes('\r')) return changes
  return ChangeSet.of(toEditorChanges(before, after, changes), toLf(before).length)
}

const changesBetween = (before: string, after: string, hunks: readonly Hunk[] = textDiff(before, after)) =>
  ChangeSet.of(letterChanges(before, after, hunks), before.length)

const ownChanges = (before: string, after: string, hunks: readonly Hunk[] = textDiff(before, after)) =>
  ChangeSet.of(wordChanges(before, after, hunks), before.length)

/** What both sides of a merge have put in. */
export const standingBy = (ranges: readonly Range[]): AlikeWords[] =>
  ranges.map((range) => ({ ...range, stands: true }))

function stepsInLineFeeds(steps: MetSteps, old: string, now: string): MetSteps {
  const shown = (all: MetSteps['put'], text: string): MetSteps['put'] => {
    if (all.length === 0) return []
    const offsets = new Offsets(text)
    return all.map(([start, end, step]) => [offsets.toEditor(start), offsets.toEditor(end), step])
  }
  const { parted } = steps
  return {
    ...{ ...steps, put: shown(steps.put, now), taken: shown(steps.taken, old) },
    ...(parted ? { parted: partedInLineFeeds(parted, now) } : {}),
    tookToo: steps.tookToo?.map((one) => ({ ...one, says: toLf(one.says) })) ?? [],
  }
}

function partedInLineFeeds(all: readonly Parted[], now: string): Parted[] {
  const offsets = new Offsets(now)
  const shown = ({ start, end }: Range) => ({ start: offsets.toEditor(start), end: offsets.toEditor(end) })
  return all.map(({ at, within, before, behind }) => ({
    ...{ at: shown(at), within: shown(within), before: toLf(before), behind: toLf(behind) },
  }))
}

function takenInLineFeeds(all: readonly TakenWords[], now: string): TakenWords[] {
  if (all.length === 0) return []
  const offsets = new Offsets(now)
  return all.map(({ words, taken, at, ...rest }) => ({
    ...rest,
    words: toLf(words),
    taken: taken.map(({ start, end }) => ({
      start: toLf(words.slice(0, start)).length,
      end: toLf(words.slice(0, end)).length,
    })),
    at: { start: offsets.toEditor(at.start), end: offsets.toEditor(at.end) },
  }))
}

function putsInReturns(changes: ChangeSet): boolean {
  let puts = false
  changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => (puts ||= inserted.toString().includes('\r')))
  return puts
}
