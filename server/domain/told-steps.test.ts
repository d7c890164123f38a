import { ChangeSet, Text } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { OwnStep } from './doing.ts'
import { areNone, broughtOver, followParts, noSteps, OwnSteps, takenBy } from './told-steps.ts'

const change = (length: number, from: number, to: number, insert = '') =>
  ChangeSet.of({ from, to, insert }, length)
const step = (part: number | null, more: Partial<OwnStep> = {}): OwnStep => ({
  ...{ doing: 'typing', number: 0, goesOn: false, takesBack: [], part },
  ...more,
})

/** What an editor tells of changes that it makes one after the other before it sends. */
function telling(length: number, ...all: [changes: ChangeSet, step: OwnStep][]) {
  const steps = new OwnSteps()
  let unsent: ChangeSet | null = null
  for (const [changes, one] of all) {
    steps.add(changes, one, unsent)
    unsent = unsent ? unsent.compose(changes) : changes
  }
  steps.sent()
  return { steps, unsent: unsent ?? ChangeSet.empty(length) }
}

describe('what an editor tells of its steps', () => {
  it('is what each has written in the text that is left, and taken out of the one before', () => {
    const { steps } = telling(
      9,
      [change(9, 4, 7, 'XX'), step(1)],
      [change(8, 0, 1), step(2)],
      [change(7, 5, 6, 'Y'), step(3)],
    )
    expect(steps.sending).toEqual({
      put: [
        [3, 5, 1],
        [5, 6, 3],
      ],
      taken: [
        [0, 1, 2],
        [4, 7, 1],
        [7, 8, 3],
      ],
      undone: [],
      redone: [],
    })
  })

  it('is nothing of what was done beside the history', () => {
    const { steps } = telling(3, [change(3, 0, 1, 'X'), step(null)])
    expect(areNone(steps.sending)).toBe(true)
  })

  it('is which steps count no more, of those that others have heard of, also where it changes nothing', () => {
    const steps = new OwnSteps()
    steps.add(change(3, 0, 0, 'X'), step(1), null)
    steps.sent()
    steps.arrived()
    steps.add(ChangeSet.empty(4), step(null, { doing: 'undo', undone: [1, 7] }), null)
    expect(steps.isDue).toBe(true)
    steps.add(ChangeSet.empty(4), step(null, { doing: 'redo', redone: [1] }), null)
    expect(steps.isDue).toBe(false)
    steps.add(ChangeSet.empty(4), step(null, { doing: 'undo', undone: [1] }), null)
    steps.sent()
    expect(steps.sending).toEqual({ ...noSteps, undone: [1] })
  })

  it('has other numbers for another editor’s history', () => {
    const steps = new OwnSteps()
    steps.add(change(3, 0, 0, 'X'), step(5), null)
    steps.begin()
    steps.add(change(4, 4, 4, 'Y'), step(1), change(3, 0, 0, 'X'))
    steps.sent()
    expect(steps.sending.put).toEqual([
      [0, 1, 5],
      [4, 5, 6],
    ])
  })

  it('is told again with what comes next, where it was taken back', () => {
    const { steps, unsent: sending } = telling(5, [change(5, 1, 2, 'X'), step(1)])
    const unsent = change(5, 3, 4, 'Y')
    steps.add(unsent, step(2), null)
    steps.takenBack(sending, unsent)
    expect(areNone(steps.sending)).toBe(true)
    steps.sent()
    expect(steps.sending).toMatchObject({
      put: [
        [1, 2, 1],
        [3, 4, 2],
      ],
      taken: [
        [1, 2, 1],
        [3, 4, 2],
      ],
    })
  })

  it('follows what others change meanwhile', () => {
    const { steps } = telling(5, [change(5, 2, 4, 'X'), step(1)])
    const theirs = change(5, 0, 3, '--')
    steps.takeIn(theirs, change(4, 0, 2, '--'), change(4, 0, 2, '--'))
    expect(steps.sending).toMatchObject({ put: [[2, 3, 1]], taken: [[2, 3, 1]] })
  })

  it('is no more than may be sent', () => {
    const count = limits.toldSteps + 20
    const all = Array.from({ length: count }, (_, i): [ChangeSet, OwnStep] => [
      change(count + i, 2 * i, 2 * i, 'X'),
      step(i + 1),
    ])
    expect(telling(count, ...all).steps.sending.put).toHaveLength(limits.toldSteps)
  })
})

it('parts lose what goes, and take in nothing that comes between', () => {
  expect(followParts([[2, 6, 1]], [change(8, 4, 4, '--'), change(10, 0, 3)])).toEqual([
    [0, 1, 1],
    [3, 5, 1],
  ])
})

it('parts are brought over what came between, with their change, as far as the texts have them', () => {
  const { ours, put, taken } = broughtOver(
    {
      changes: change(6, 2, 4, 'XY'),
      goesOn: false,
      steps: {
        ...noSteps,
        put: [
          [2, 4, 1],
          [5, 90, 2],
          [90, 95, 2],
        ],
        taken: [
          [2, 4, 1],
          [4, 3, 1],
        ],
      },
    },
    [change(6, 3, 5), change(4, 0, 0, '--')],
  )
  expect(ours.apply(Text.of(['--abcf'])).toString()).toBe('--abXYf')
  expect([put, taken]).toEqual([
    [
      [4, 6, 1],
      [6, 7, 2],
    ],
    [[4, 5, 1]],
  ])
})

it('what each step has taken out is known by what it says', () => {
  const taken: [number, number, number][] = [
    [0, 1, 4],
    [3, 5, 5],
  ]
  expect(takenBy({ ...noSteps, taken }, Text.of(['abcdef']))).toEqual([
    { step: 4, says: 'a' },
    { step: 5, says: 'de' },
  ])
  expect(takenBy(noSteps, Text.empty)).toEqual([])
})
