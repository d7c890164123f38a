/**
 * Some lines that come or go, as they show: of which characters they are is known from elsewhere. What of line ends is
 * theirs is told here, so that without what comes, and without what goes, what is left is as it was and as it will be.
 */
export interface LineSpan {
  does: 'comes' | 'goes'
  /** Whether its first character is the first of a paragraph, or of a line behind nothing but such; told when it is met. */
  opensParagraph?: boolean
  opensLeaf?: boolean
}

/** Notes how a stretch of lines begins, once its first character is met. */
export function meet(span: LineSpan, before: LineSpan | null, isParagraphEmpty: boolean): void {
  span.opensParagraph ??= isParagraphEmpty
  span.opensLeaf ??= isParagraphEmpty || (before !== null && before !== span && before.opensLeaf === true)
}

/** With which of those on both sides a line end within a paragraph or code comes or goes. `next` isn’t met yet. */
export function spanOfBreak(before: LineSpan | null, next: LineSpan | null): LineSpan | null {
  if (before === next) return before
  // What follows on lines that open the paragraph opens it as well.
  if (next && !before?.opensLeaf) return next
  return before?.opensLeaf ? before : null
}

/** With which a paragraph’s end comes or goes; `goesOn` is whether the last character’s span does so behind it. */
export function spanOfEnd(last: LineSpan | null, goesOn: boolean): LineSpan | null {
  return last && (goesOn || last.opensParagraph) ? last : null
}
