import { anchorAt, CONTEXT } from './anchors/anchor.ts'
import { mapRange } from './anchors/anchors-after-changes.ts'
import type { TextChange } from './change-map.ts'
import type { AnchoredRecord, Edit } from './document-change.ts'
import { haveGrownBeside, sidesOf } from './grown-words.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { Readable } from './pieced-text.ts'

/**
 * The suggestions right at whose words somebody wrote who saw them drawn: that is meant to stand beside what they make of
 * these, and makes no other words of them. So their anchors say from now on what stands there.
 * @param ids which they are
 */
export function writtenBeside(
  anchors: readonly AnchoredRecord[],
  ids: readonly string[],
  { before, after, map }: TextChange<Readable>,
): Edit['moved'] {
  return anchors.flatMap(({ id, kind, anchor, range }) => {
    if (!ids.includes(id) || kind !== 'suggestion' || !anchor?.exact || !range) return []
    const words = anchor.exact
    const now = mapRange(map, range)
    const stand = (text: Readable, { start, end }: Range) => text.slice(start, end) === words
    if (!now || !stand(before, range) || !stand(after, now)) return []
    const areOthers = haveGrownBeside(words, sidesOf(before, range), anchor)
    if (areOthers || !haveGrownBeside(words, sidesOf(after, now), anchor)) return []
    return [{ id, kind, range: now, around: around(after, now) }]
  })
}

function around(text: Readable, { start, end }: Range) {
  const from = Math.max(0, start - CONTEXT - 1)
  const { prefix, suffix } = anchorAt(text.slice(from, end + CONTEXT + 1), start - from, end - from)
  return { prefix, suffix }
}
