import type { ChangeSpec, Transaction } from '@codemirror/state'
import { textDiff } from '../../server/domain/diff/index.ts'
import { separator } from '../../server/domain/separator.ts'
import { isMarkAlone } from './block-seams.ts'
import { broughtBack, touch, type Deletion } from './own-deletions.ts'
import { takenBackBy } from './own-steps.ts'
import { isApart, isGlued, putGap, type Mend } from './undo-gaps.ts'

/** Where deleted words go that a step of the history brings back, if somebody else has written in their place. */

/**
 * What takes out again the words that a step of the history put beside the same words. Those of them that are not there
 * go where they belong.
 */
export function doubled({ changes, newDoc }: Transaction, deletions: readonly Deletion[]): ChangeSpec[] {
  const found: ChangeSpec[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (from === to) return
    const text = newDoc.sliceString(from, to)
    for (const { revived, text: deleted } of deletions) {
      if (!revived || !deleted.includes(text)) continue
      const start = changes.mapPos(revived.from, 1)
      const end = Math.max(start, changes.mapPos(revived.to, -1))
      if (!touch(newDoc, { from, to }, { from: start, to: end })) continue
      found.push({ from, to })
      if (text !== deleted) return
      for (const { fromA, fromB, toB } of textDiff(newDoc.sliceString(start, end).trimEnd(), text.trim())) {
        if (fromB < toB) found.push({ from: start + fromA, insert: text.trim().slice(fromB, toB) })
      }
      return
    }
  }, true)
  return found
}

/**
 * What puts deleted words that a step of the history brought back on the right side of words that came to their place
 * meanwhile: the history puts them behind those, wherever they stood. Where the white space between them doesn’t tell,
 * what was here goes first, as in a merge.
 */
export function parted(transaction: Transaction, deletions: readonly Deletion[]): Mend {
  const { changes, startState, newDoc } = transaction
  const found: Mend = { changes: [], effects: [] }
  const takesBack = takenBackBy(transaction)
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA !== toA) return
    const back = newDoc.sliceString(fromB, toB)
    const deletion = deletions.find(
      (one) =>
        // What was put there here came before these words were taken out, and stays where it is.
        !one.revived &&
        one.from < one.to &&
        one.to === fromA &&
        one.put.from === one.put.to &&
        broughtBack(one, takesBack)?.text === back,
    )
    if (!deletion) return
    const came = startState.doc.sliceString(deletion.from, deletion.to)
    const start = fromB - came.length
    if (newDoc.sliceString(start, fromB) !== came) return
    const sides = {
      before: newDoc.sliceString(Math.max(0, start - 2), start),
      after: newDoc.sliceString(toB, toB + 2),
    }
    if (!goesFirst(back, came, sides)) return
    const gap = continuesWord(back, came, sides) ? '' : separator(back, came)
    // What came is moved, so that redo still finds what was brought back.
    found.changes.push({ from: start, to: fromB })
    found.changes.push({ from: toB, insert: gap + came })
    if (gap) {
      const from = toB - came.length
      const isWithinWord = isGlued(sides.before, came)
      const place = { from, to: from + gap.length, text: gap }
      found.effects.push(putGap.of({ key: Symbol(), ...place, isWithinWord, number: 0 }))
    }
  }, true)
  return found
}

/** Whether what was here goes before what came. */
function goesFirst(back: string, came: string, sides: Sides): boolean {
  if (isApart(came, back) || isMarkAlone(came)) return false
  if (!isGlued(back, came) || continuesWord(back, came, sides)) return true
  if (continuesWord(came, back, sides)) return false
  // The beginning of a word goes back to its end, if that has got no other beginning.
  return !isGlued(back, sides.after) || isGlued(came, back)
}

interface Sides {
  before: string
  after: string
}

/** Whether two texts that meet are in one word that both of them stood in. */
function continuesWord(first: string, second: string, { before, after }: Sides): boolean {
  return (
    (isWord(first) && isGlued(before, first) && isGlued(before, second)) ||
    (isWord(second) && isGlued(first, after) && isGlued(second, after))
  )
}

const isWord = (text: string) => /^[\p{L}\p{N}\p{M}_'’]+$/u.test(text)
