import fc from 'fast-check'
import { ChangeSet, Text } from '@codemirror/state'

/** Texts and edits for property tests: few distinct words, so that they repeat and diffs have choices to make. */

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('the', 'cat', 'sat', 'a', 'mat', 'naïve', 'Ångström', 'word’s', 'x1'),
  },
  { weight: 5, arbitrary: fc.constant(' ') },
  { weight: 2, arbitrary: fc.constantFrom('. ', ', ', '\n', '\n\n', '- ', '# ', '**', '|', '`') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('👩‍👩‍👧', '😀', 'e\u0301', '漢字', 'かな', '\r\n', '\r', '\t', '\0', '$&', '$1'),
  },
)

export const anyText: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 60 })
  .map((pieces) => pieces.join(''))

export const anyWords: fc.Arbitrary<string> = fc
  .array(piece, { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(''))

/** A text and another one made from it by a few edits. */
export const editedText: fc.Arbitrary<{ before: string; after: string }> = fc
  .tuple(
    anyText,
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.oneof(fc.constant(''), anyWords)), { maxLength: 4 }),
  )
  .map(([before, edits]) => ({
    before,
    after: edits.reduce((text, [at, length, insert]) => edit(text, at, length, insert), before),
  }))

/** A change set for the text as an editor makes them: a few replacements that respect surrogate pairs. */
export function changesFor(text: string): fc.Arbitrary<ChangeSet> {
  return fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(8), fc.oneof(fc.constant(''), anyWords)), { maxLength: 3 })
    .map((edits) =>
      ChangeSet.of(
        edits.map(([at, length, insert]) => {
          const from = whole(text, at)
          const to = whole(text, Math.min(text.length, from + length))
          return { from, to, insert: Text.of(insert.split('\n')) }
        }),
        text.length,
      ),
    )
}

/** The text with a stretch replaced, moved to where no surrogate pair is split. */
export function edit(text: string, at: number, length: number, insert: string): string {
  const from = whole(text, at % (text.length + 1))
  return text.slice(0, from) + insert + text.slice(whole(text, Math.min(text.length, from + length)))
}

/** The nearest place at or before `at` that is between two characters. */
export function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}
