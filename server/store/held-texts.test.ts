import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PiecedText } from '../domain/pieced-text.ts'
import { HeldTexts, type TextName } from './held-texts.ts'

const name = (number: number, revision = 1): TextName => ({ number, revision, hash: number * 100 + revision })
const text = (megabytes: number) => PiecedText.of('x'.repeat(megabytes * 1024 * 1024))

describe('texts held in memory', () => {
  it('are found by number, revision and hash alone', () => {
    const held = new HeldTexts((work) => work())
    held.hold(name(1), PiecedText.of('one'), true)
    expect(held.find(name(1))?.whole).toBe('one')
    expect(held.find(name(1, 2))).toBeNull()
    expect(held.find({ ...name(1), hash: 7 })).toBeNull()
    expect(held.find(name(2))).toBeNull()
  })

  it('make room where there are too many: those first that a keyframe has, and of them those read longest ago', () => {
    const held = new HeldTexts((work) => work())
    held.hold(name(1), text(3), false)
    held.hold(name(2), text(5), true)
    held.hold(name(3), text(5), true)
    held.find(name(2))
    held.hold(name(4), text(5), true)
    expect([1, 2, 3, 4].map((number) => held.find(name(number)) !== null)).toEqual([true, true, false, true])
    held.hold(name(5), text(12), false)
    expect([1, 2, 4, 5].map((number) => held.find(name(number)) !== null)).toEqual([true, false, false, true])
    held.hold(name(6), text(12), false)
    expect([1, 5, 6].map((number) => held.find(name(number)) !== null)).toEqual([false, false, true])
  })

  it('are held on once a keyframe has them, unless they are others by then', () => {
    const held = new HeldTexts((work) => work())
    held.hold(name(1, 2), text(3), false)
    held.settle(name(1, 1))
    held.hold(name(2), text(14), true)
    expect(held.find(name(1, 2))).not.toBeNull()
    held.settle(name(1, 2))
    expect(held.find(name(1, 2))).not.toBeNull()
    held.hold(name(3), text(14), true)
    expect(held.find(name(1, 2))).toBeNull()
  })

  it('are let go a while after they were last read, once a keyframe has them', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const held = new HeldTexts((work) => work())
    for (const number of [1, 2]) held.hold(name(number), PiecedText.of('text'), true)
    held.hold(name(3), PiecedText.of('only here'), false)
    vi.advanceTimersByTime(45_000)
    expect(held.find(name(2))).not.toBeNull()
    vi.advanceTimersByTime(50_000)
    expect([1, 2, 3].map((number) => held.find(name(number)) !== null)).toEqual([false, true, true])
    held.settle(name(3))
    vi.advanceTimersByTime(200_000)
    expect([2, 3].map((number) => held.find(name(number)) !== null)).toEqual([false, false])
  })

  it('are forgotten where the transaction that made them is undone', () => {
    const toDo: (() => void)[] = []
    const held = new HeldTexts((work) => void toDo.push(work))
    held.hold(name(1), PiecedText.of('one'), true)
    for (const one of toDo.splice(0)) one()
    held.hold(name(2), PiecedText.of('two'), false)
    held.forget()
    expect(held.find(name(1))?.whole).toBe('one')
    expect(held.find(name(2))).toBeNull()
  })
})
