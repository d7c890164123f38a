import { expect, it } from 'vitest'
import { placeInText } from './footnotes.ts'

const [claim, note, other] = [
  'A claim.[^1]\n\n',
  '[^1]: The source\nof it.',
  '\n[^2]: Another.\n\n    More of it.',
]

/** What stands before the place at which words show that are put in behind a text. */
const shownBehind = (text: string, words: string) => text.slice(0, placeInText(text, text.length, words))

it('shows lines behind a footnote’s definition where the text before it ends', () => {
  for (const words of ['\n\n## Head', '\n## Head', '\n\nA paragraph.', '\r\n\r\nA paragraph.', '\n- item'])
    for (const notes of [note, note + other]) expect(shownBehind(claim + notes, words)).toBe(claim)
  for (const words of ['A paragraph.\n\n', '## Head\n\n'])
    expect(shownBehind(`${claim}${note}\n\n`, words)).toBe(claim)
})

it('shows what goes on with a footnote in it, and all else where it stands', () => {
  for (const words of [' indeed', '\nand so on', '\n\n    A second paragraph.', '\n\n', ''])
    expect(shownBehind(claim + note, words)).toBe(claim + note)
  for (const text of [claim, `${claim}${note}\n\nA paragraph.`, `${note}\n\n`, '', '\n\n'])
    expect(shownBehind(text, '\n\n## Head')).toBe(text)
})

it('shows nothing elsewhere whose notes begin farther back than it is looked', () => {
  const notes = '[^1]: a\n'.repeat(20_000)
  expect(shownBehind(`Text.\n\n${notes}`, '\n\nWords')).toBe(`Text.\n\n${notes}`)
})
