import { ChangeSet, type ChangeDesc, type Text } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import type { OwnStep } from './doing.ts'
import { knownIn, later, leftOver, stillHere, type KnownPart } from './known-parts.ts'
import type { RebasedChange } from './rebase.ts'
import { followed, joinedTo, removedBy, withoutPutElsewhere, type Removal } from './removal.ts'
import { withoutReturned } from './returned-removals.ts'
import type { TakenWords } from './taken-words.ts'

const most = 200

/**
 * What was taken out here and the server may not know of, each for itself as undo brings it back: what was put in here
 * and taken out again stands in one word with what others take out meanwhile.
 */
export class OwnRemovals {
  /** Of the change that is on its way, in places of the server’s text, and of what isn’t yet, in those of the text that it leaves. */
  #sending: readonly Removal[] = []
  #unsent: readonly Removal[] = []
  /** What undo has brought back of what the change that is on its way takes out. */
  #back: readonly KnownPart[] = []
  /** The same of what isn’t yet on its way, where it came to another place than it had. */
  #moved: readonly KnownPart[] = []
  /** The last step, if it is known; what is mended after it counts as made by it. */
  #numbers: readonly number[] | null = null

  /**
   * Takes in a change of the text here. Answers what it brings back of what is yet to be sent: where it stands, and where
   * in the text that the server knows.
   * @param unsent what made the text until then of the one that what is on its way leaves
   * @param step null where it isn’t known what has made the change
   */
  add(
    changes: ChangeSet,
    { text, unsent }: { text: Text; unsent: ChangeSet | null },
    step: OwnStep | null,
  ): KnownPart[] {
    const doing = step?.doing
    if (doing !== 'mend') this.#numbers = step && (doing === 'beside' ? [] : [step.number])
    const returned: KnownPart[] = []
    const back: KnownPart[] = []
    let all = this.#unsent
    if (step && step.takesBack.length > 0 && this.#sending.length + all.length > 0)
      changes.iterChanges((fromA, toA, fromB, _toB, inserted) => {
        if (inserted.length === 0) return
        const came = { fromA, toA, fromB, text: inserted.toString(), found: [] }
        all = withoutReturned(all, came, step.takesBack, { known: returned, sent: back })
        this.#sending = withoutReturned(this.#sending, came, step.takesBack, { known: back, sent: [] })
      })
    const last = all.at(-1)
    let removed = removedBy(changes, text, this.#numbers, { unsent, back: this.#back, moved: this.#moved })
    if (doing === 'mend') removed = withoutPutElsewhere(removed, changes, { known: returned, sent: back })
    this.#back = [...this.#back.flatMap((one) => stillHere(changes, one)), ...back]
    this.#moved = this.#moved.flatMap((one) => stillHere(changes, one))
    this.#sending = this.#sending.map((one) => followed(one, changes))
    all = all.map((one) => followed(one, changes))
    const [first] = removed
    const isOne = step?.goesOn === true && removed.length === 1
    const joined = isOne && last && first ? joinedTo(last, first) : null
    this.#unsent = (
      joined ? [...all.slice(0, -1), joined] : [...all, ...removed.map(({ now }) => now)]
    ).slice(-most)
    return returned
  }

  /** What came back stands elsewhere than it did, so that the server is to be told of it. */
  moves(returned: readonly KnownPart[]): void {
    if (returned.length > 0) this.#moved = [...this.#moved, ...returned].slice(-most)
  }

  /** What isn’t sent goes on its way. */
  sent(): void {
    this.#sending = this.#unsent
    this.#unsent = []
    this.#back = this.#moved
    this.#moved = []
  }

  /** Another history begins, which takes back nothing of what was done before. */
  forgetSteps(): void {
    const of = (one: Removal): Removal => ({ ...one, numbers: [] })
    this.#sending = this.#sending.map(of)
    this.#unsent = this.#unsent.map(of)
  }

  arrived(): void {
    this.#sending = []
    this.#back = []
    this.#unsent = this.#unsent.map((one) => (one.sent.length > 0 ? { ...one, sent: [] } : one))
  }

  /** What was on its way isn’t any more. Answers what has been brought back of that. */
  takenBack(sending: ChangeSet): readonly KnownPart[] {
    const before = (part: KnownPart) =>
      knownIn(sending, part.in, part.in + part.end - part.start).map((of) => later(of, part.start))
    const unsent = this.#unsent.map((one) => ({
      ...one,
      known: [...one.known.flatMap(before), ...one.sent],
      sent: [],
    }))
    const back = [...this.#back, ...this.#moved.flatMap(before)]
    this.#unsent = [...this.#sending, ...unsent]
    this.#sending = []
    this.#back = []
    this.#moved = []
    return back
  }

  /**
   * Takes in what others have changed of the server’s text. Answers what of that was taken out here as well, and what
   * takes out what undo has brought back here meanwhile: by the order of the log it is theirs to bring back.
   * @param sending what was on its way before
   * @param over what it is for the text here
   * @param doubled what goes beside that, in the text that `over` leaves
   */
  takeIn(
    changes: ChangeDesc,
    sending: RebasedChange | null,
    over: ChangeDesc,
    doubled: readonly Range[] = [],
  ): { taken: TakenWords[]; out: ChangeSet } {
    const overSending = sending ? changes.mapDesc(sending.changes.desc, !sending.goesOn) : changes
    const [back, moved] = [leftOver(this.#back, changes), leftOver(this.#moved, overSending)]
    const out = ChangeSet.of(
      [...[...back.gone, ...moved.gone].flatMap((one) => stillHere(over, one)), ...doubled].map(
        ({ start, end }) => ({ from: start, to: end }),
      ),
      over.newLength,
    )
    const here = over.composeDesc(out.desc)
    this.#back = back.left.flatMap((one) => stillHere(here, one))
    this.#moved = moved.left.flatMap((one) => stillHere(here, one))
    const taken: TakenWords[] = []
    const map = (all: readonly Removal[], by: ChangeDesc) =>
      all.map((one) => {
        const [known, sent] = [leftOver(one.known, by), leftOver(one.sent, changes)]
        const theirs = [...known.gone, ...sent.gone]
        const now = { ...followed(one, here), known: known.left, sent: sent.left }
        if (theirs.length > 0)
          taken.push({ words: one.words, taken: theirs, at: now.at, numbers: one.numbers })
        return now
      })
    if (this.#sending.length > 0) this.#sending = map(this.#sending, changes)
    if (this.#unsent.length > 0) this.#unsent = map(this.#unsent, overSending)
    return { taken, out }
  }
}
