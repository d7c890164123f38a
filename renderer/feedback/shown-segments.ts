import type { Segment } from '../../server/domain/diff-segments.ts'

/** Line breaks at an end where nothing follows part it from nothing: shown, they would be empty lines. */
export function withoutOuterBreaks<One extends Segment>(
  segments: readonly One[],
  [before, after]: readonly [string, string],
): One[] {
  const shown = [...segments]
  const trim = (i: number, breaks: RegExp) => {
    const one = shown[i]
    // What is nothing but line breaks is drawn as the sign of what it does.
    if (one && one.text.trim() !== '') shown[i] = { ...one, text: one.text.replace(breaks, '') }
  }
  if (before.trim() === '') trim(0, /^\s*\n/)
  if (after.trim() === '') trim(shown.length - 1, /\n\s*$/)
  return shown
}
