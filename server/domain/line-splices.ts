import type { Range } from '../contract/records/anchors.ts'
import { breakChange } from './break-change.ts'
import type { SuggestedEdit } from './document-feedback.ts'
import { isLost } from './document-feedback.ts'
import { lineSigns, signChange } from './sign-change.ts'
import { isRow } from './table-rows.ts'

/** What a suggestion does to whole lines: which go, and what comes behind them. */
export interface LineEdit extends Range {
  edit: SuggestedEdit
  put: string
  /** What parts the lines that come from those that go: with an empty line they are no paragraph together. */
  isParted: boolean
}

/** Where lines that go, and lines that come, stand in a text that has both. */
export interface SplicedLines {
  edit: SuggestedEdit
  goes: Range | null
  comes: Range | null
}

/**
 * The suggestions that put in or take out lines, rows of a table, or what a line is, as changes of whole lines. Of those
 * that overlap only the first is one. Where lines are only parted or joined, or their signs change, no words come or go.
 */
export function lineEdits(content: string, edits: readonly SuggestedEdit[]): LineEdit[] {
  const found = edits
    .map((edit) => lineEdit(content, edit))
    .filter((one) => one !== null)
    .sort((a, b) => a.start - b.start || a.end - b.end)
  let reached = 0
  return found.filter(({ start, end }) => {
    if (start < reached) return false
    reached = end
    return true
  })
}

function lineEdit(content: string, edit: SuggestedEdit): LineEdit | null {
  const { place, original, suggested } = edit
  if (isLost(place) || breakChange(original, suggested)) return null
  const from = content.lastIndexOf('\n', place.start - 1) + 1
  const next = content.indexOf('\n', place.end)
  const to = next < 0 ? content.length : next
  const was = content.slice(from, to)
  const will = content.slice(from, place.start) + suggested + content.slice(place.end, to)
  if (signChange(was, will)) return null
  const isLines = original.includes('\n') || suggested.includes('\n')
  const isAnother = lineSigns.exec(was)![0].trim() !== lineSigns.exec(will)![0].trim()
  if (!isLines && !(isRow(was) && /\|/.test(original + suggested)) && !isAnother) return null
  const [old, now] = [was, will].map((text) => text.split('\n'))
  let first = 0
  while (first < Math.min(old!.length, now!.length) && old![first] === now![first]) first++
  let last = 0
  const most = Math.min(old!.length, now!.length) - first
  while (last < most && old![old!.length - 1 - last] === now![now!.length - 1 - last]) last++
  const goes = old!.slice(first, old!.length - last)
  const comes = now!.slice(first, now!.length - last)
  if ([...goes, ...comes].every((line) => line.trim() === '')) return null
  const length = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0)
  const start = Math.min(from + length(old!.slice(0, first)), content.length)
  const end = Math.min(start + length(goes), content.length)
  return { edit, start, end, put: comes.join('\n'), isParted: false }
}

/** A text in which lines that go and lines that come both stand, or what it becomes with all of them accepted. */
export class SplicedText {
  readonly text: string
  readonly lines: SplicedLines[] = []
  readonly #shifts: { at: number; by: number }[] = []

  constructor(content: string, all: readonly LineEdit[], isAccepted = false) {
    let text = ''
    let reached = 0
    for (const { edit, start, end, put, isParted } of all) {
      text += content.slice(reached, isAccepted ? start : end)
      reached = end
      const goes = start < end ? { start: text.length - (end - start), end: text.length } : null
      const hasPut = put !== '' || !goes
      let lead = text === '' || text.endsWith('\n') ? '' : '\n'
      if (isParted && goes && !isAccepted) lead += '\n'
      const tail =
        end < content.length || content.endsWith('\n') ? (isParted && !isAccepted ? '\n\n' : '\n') : ''
      const begin = text.length + lead.length
      if (hasPut) text += lead + put + tail
      const comes = hasPut ? { start: begin, end: begin + put.length } : null
      this.#shifts.push({ at: end, by: hasPut ? lead.length + put.length + tail.length : 0 })
      this.lines.push({ edit, goes, comes })
    }
    this.text = text + content.slice(reached)
  }

  /** Where a passage of the text is in the one that has both. */
  range({ start, end }: Range): Range {
    return { start: this.#place(start, true), end: this.#place(end, start === end) }
  }

  #place(at: number, isBehind: boolean): number {
    let place = at
    for (const { at: from, by } of this.#shifts) if (from < at || (isBehind && from === at)) place += by
    return place
  }
}
