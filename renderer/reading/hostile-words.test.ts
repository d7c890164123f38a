import { describe, expect, it } from 'vitest'
import { columnChange } from '../../server/domain/column-change.ts'
import { namesOf, referencesIn } from '../../server/domain/file-references.ts'
import { madeHeading } from '../../server/domain/made-heading.ts'
import { setAmong } from '../../server/domain/set-among.ts'
import { cellsOf } from '../../server/domain/table-rows.ts'
import { lineGap } from '../../server/domain/whole-lines.ts'
import { whatWas } from '../editor/suggesting/words-put-in.ts'
import { blocksOf } from '../feedback/markup.ts'
import { lookChange, markChange } from '../feedback/mark-change.ts'
import { quotedWords } from '../feedback/quoted-words.ts'
import { breakAmongWords, whiteChange } from '../feedback/white-change.ts'
import { areLines } from './put-beside.ts'
import { allBlocksIn, blocksIn } from './read-blocks.ts'
import { changedLooks, shownWords } from './shown-pieces.ts'

/*
 * What a guest writes may be made so that looking at it takes the square of its length, which is hours. Each of these is as
 * long as a suggestion may be, and must be done with before a test is given up.
 */
const length = 200_000
const hostile = {
  'blanks before a letter': `${' '.repeat(length)}x`,
  'blanks behind a heading’s sign': `# ${' '.repeat(length)}\u2028x`,
  'blanks below a table’s head': `a|b\n${' '.repeat(length)}x`,
  'line ends before a letter': `${'\n'.repeat(length)}x`,
  'line ends between letters': `x${'\n'.repeat(length)}x`,
  'one word, and others': `${'x'.repeat(length)} a b c d e\n- \n`,
  'one line': `${'x '.repeat(length / 2)}\n==x`,
  'signs of marks before a letter': `${'*'.repeat(length)}x`,
  'ends of links before a letter': `${']()'.repeat(length / 3)}x`,
  'links without ends': '[a](b '.repeat(length / 6),
  'links to parentheses': `[a](${'(b)'.repeat(length / 3)} x`,
  'titles without ends': `${'[a](b "'.repeat(length / 7)}${'[a](<'.repeat(length / 5)}`,
  'a link, and blanks': `[a](b${' '.repeat(length)}x`,
  'columns without end': `${'|'.repeat(length / 2)}\n${'|-'.repeat(length / 4)}`,
  'tildes before what is no end of a line': `${'~'.repeat(length)}\u2028x`,
  'a fence, blanks and words': `\`\`\`${' '.repeat(length)}x y`,
  'dashes before a letter': `|${'-'.repeat(length)}x`,
  'blanks and line ends by turns': `x${' \n> '.repeat(length / 4)}x`,
  'code that begins with a blank': `\` ${'x'.repeat(length)}\``,
}
const anchor = { prefix: 'before ', suffix: ' behind', exact: '', start: 0, end: 0 }

describe.each(Object.entries(hostile))('%s', (_name, words) => {
  const isDone = (value: unknown) => expect(value).toBeDefined()
  it('is read for the text and its cards', () => {
    isDone(blocksIn(words))
    isDone(allBlocksIn(words))
    isDone(allBlocksIn(`## A\n\n${words}`))
    for (const suggested_text of [words, `**${words}**`]) {
      const put = { original_text: '', suggested_text, anchor: { ...anchor, prefix: '\n\n' } }
      isDone([markChange(put), markChange({ ...put, original_text: words })])
      isDone([lookChange(put), lookChange({ ...put, original_text: words })])
      isDone(breakAmongWords({ ...put, anchor, original_text: 'x' }))
    }
    isDone(shownWords('', words, true))
    isDone(changedLooks(new Set(), words, 0, words))
    isDone(areLines(words))
    isDone(madeHeading('', words, `${words}y`, ''))
    isDone(columnChange(words, `${words}|`))
    isDone(whiteChange({ original_text: `${words} `, suggested_text: words, anchor }))
    isDone(blocksOf(words))
    isDone(quotedWords({ exact: words, prefix: '' }))
  })
  it('is put among others’ by the server and by an editor', () => {
    isDone(setAmong({ before: ' ', put: words, behind: ' ', takenBefore: '', takenBehind: '' }))
    isDone(lineGap('one\ntwo\n', { start: 0, end: 8 }, words, words))
    isDone(cellsOf(words))
    isDone(whatWas(words, anchor))
    isDone(referencesIn(`\`\`\`\n${words}`))
    isDone(namesOf(words))
  })
})
