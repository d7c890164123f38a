/** What changes of where paragraphs, items of a list or lines end, where no words change. */
export interface BreakChange {
  does: 'splits' | 'joins'
  what: keyof typeof ranks
}

/** Of two breaks in one place, the one that parts more counts. */
const ranks = { line: 1, item: 2, paragraph: 3 }

const signs = /^(?:[ \t]*>)*[ \t]*(?<item>(?:[-+*]|\d{1,9}[.)])(?:$|[ \t]+(?:\[[ xX]\][ \t]+)?))?$/

/** What a text parts that has nothing but the end of lines and the signs of the next; null if it has words, or no end. */
function breakIn(text: string): BreakChange['what'] | null {
  const [first, ...lines] = text.split(/\r?\n/)
  if (lines.length === 0 || !/^[ \t]*\\?$/.test(first!)) return null
  const found = lines.map((line) => signs.exec(line))
  if (found.includes(null)) return null
  if (found.at(-1)!.groups!.item !== undefined) return 'item'
  return lines.length > 1 ? 'paragraph' : 'line'
}

/** Whether nothing of it shows but that lines end. */
export const isBreak = (text: string): boolean => breakIn(text) !== null

/** What happens where the one becomes the other; null where words change, or no line ends otherwise than before. */
export function breakChange(removed: string, insert: string): BreakChange | null {
  const [was, will] = [breakIn(removed), breakIn(insert)]
  if ((was === null && removed.trim() !== '') || (will === null && insert.trim() !== '')) return null
  const more = (will ? ranks[will] : 0) - (was ? ranks[was] : 0)
  if (more === 0) return null
  return more > 0 ? { does: 'splits', what: will! } : { does: 'joins', what: was! }
}

/** Stands for the end of a paragraph, an item or a line, wherever one is drawn that isn’t in the text or is to go. */
export const signOf = ({ what }: BreakChange): string => (what === 'line' ? '↵' : '¶')

/** What it does, as it is said on cards and in files. */
export const breakWords = ({ does, what }: BreakChange): string => words[does][what]

const words: Record<BreakChange['does'], Record<BreakChange['what'], string>> = {
  splits: { paragraph: 'Split the paragraph', item: 'Split the item', line: 'Break the line' },
  joins: {
    paragraph: 'Join the paragraph with the next',
    item: 'Join the item with the next',
    line: 'Join the line with the next',
  },
}
