import type { ChangeSet, StateCommand } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acceptSuggestions } from '../../../server/domain/accept-suggestions.ts'
import { changesFromJson } from '../../../server/domain/change-set.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { renderMarkdown } from '../../../server/markdown/render.ts'
import type { Range } from '../../../server/contract/records/anchors.ts'
import { markdownLanguage } from '../markdown-language.ts'
import { moveLinesDown, moveLinesUp } from '../move-lines.ts'
import { inserting } from '../insert/inserting.ts'
import { editTable, nextCell } from '../tables/table-commands.ts'
import type { TableEditName } from '../tables/table-edits.ts'
import { continueMarkup, indent, outdent } from '../typing.ts'
import { asItReads } from './reading.ts'
import { Suggesting } from './testing/suggesting.ts'

/** Somebody who suggests, and finds their place by its words. */
class Person extends Suggesting {
  constructor(doc: string) {
    super(doc, markdownLanguage)
  }
  /** Goes behind words, as they read; false where they aren’t there. */
  behind(words: string): boolean {
    const taken = this.stretches.filter(({ kind }) => kind === 'taken out')
    const text = this.state.doc.toString()
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
      const end = at + words.length
      if (taken.some(({ from, to }) => from < end && to > at)) continue
      this.cursor(end)
      return true
    }
    return false
  }
  run(command: StateCommand): this {
    const dispatch = (transaction: Parameters<Suggesting['dispatch']>[0]) => this.dispatch(transaction)
    asItReads(command)({ state: this.state, dispatch })
    return this
  }
  /** Takes out the line of the cursor, with its end. */
  takeLineOut(): this {
    const { doc, selection } = this.state
    const { from, to } = doc.lineAt(selection.main.head)
    return to < doc.length ? this.delete(from, to + 1) : this.delete(from - 1, to)
  }
}

interface Pending {
  id: string
  kind: 'suggestion'
  original_text: string
  suggested_text: string
  anchor: ReturnType<typeof anchorAt>
  range: Range | null
}

/**
 * The text after its owner has accepted all that people suggest, one after the other. Fails where one can’t be.
 * @param follows is told of each change, and of what is left then
 */
function accepted(
  text: string,
  people: readonly Person[],
  order: (count: number) => number,
  follows?: (changes: ChangeSet, left: readonly Pending[]) => void,
): string {
  let content = text
  let pending = people.flatMap((person, who) =>
    person.written.map(({ start, original, suggested }, i): Pending => {
      const range = { start, end: start + original.length }
      const words = { original_text: original, suggested_text: suggested }
      return {
        id: `${who}.${i}`,
        kind: 'suggestion',
        ...words,
        anchor: anchorAt(text, start, range.end),
        range,
      }
    }),
  )
  while (pending.length > 0) {
    const next = pending[order(pending.length)]!
    const { applied, edit } = acceptSuggestions({ content, suggestions: [next], anchors: pending })
    expect(applied, `${JSON.stringify(next)} in ${JSON.stringify(content)}`).toEqual([true])
    content = edit!.content
    const moved = new Map(edit!.moved.map((one) => [one.id, one]))
    pending = pending
      .filter(({ id }) => id !== next.id)
      .map((one): Pending => ({ ...one, ...moved.get(one.id), kind: 'suggestion' }))
    follows?.(changesFromJson(JSON.parse(edit!.log)), pending)
  }
  return content
}
const first = () => 0
const last = (count: number) => count - 1

/** In either order the same. */
function bothWays(text: string, ...people: Person[]): string {
  const one = accepted(text, people, first)
  expect(accepted(text, people, last)).toBe(one)
  return one
}

describe('two people who suggest in one list', () => {
  const list = '# Plan\n\n1. alpha\n2. beta\n3. gamma\n4. delta\n\nBehind.\n'
  const add = (after: string, words: string) => {
    const person = new Person(list)
    person.behind(after)
    return person.run(continueMarkup).type(words)
  }

  test('add items, of which the others keep their numbers', () => {
    const [one, other] = [add('alpha', 'new'), add('gamma', 'more')]
    expect(one.written).toEqual([{ start: 16, original: '', suggested: '\n2. new' }])
    expect(bothWays(list, one, other)).toBe(
      '# Plan\n\n1. alpha\n2. new\n2. beta\n3. gamma\n4. more\n4. delta\n\nBehind.\n',
    )
  })

  test('add items at the same place, or where another is taken out', () => {
    const [one, other] = [add('beta', 'new'), add('beta', 'more')]
    expect(accepted(list, [one, other], first)).toContain('2. beta\n3. more\n3. new\n3. gamma')
    for (const word of ['alpha', 'beta', 'delta']) {
      const taker = new Person(list)
      taker.behind(word)
      taker.takeLineOut()
      const text = bothWays(list, add(word, 'new'), taker)
      expect(text).toContain('. new\n')
      expect(text).not.toContain(word)
    }
  })

  test('move an item past another without a word of that', () => {
    const mover = new Person(list)
    mover.behind('beta')
    mover.run(moveLinesDown)
    expect(mover.shown).toBe('# Plan\n\n1. alpha[-\n2. beta]\n3. gamma[+\n2. beta]\n4. delta\n\nBehind.\n')
    mover.run(moveLinesUp)
    expect(mover.written).toEqual([])
    mover.run(moveLinesDown).run(moveLinesDown)
    const writer = new Person(list)
    writer.behind('gamma')
    writer.type(' rays')
    expect(bothWays(list, mover, writer, add('beta', 'new'))).toBe(
      '# Plan\n\n1. alpha\n3. new\n3. gamma rays\n4. delta\n2. beta\n\nBehind.\n',
    )
  })

  test('move items in and out, whose numbers alone change', () => {
    const mover = new Person(list)
    mover.behind('beta')
    mover.run(indent)
    expect(mover.shown).toContain('1. alpha\n[-2. ][+   1. ]beta\n3. gamma')
    const other = new Person(list)
    other.behind('gamma')
    other.run(indent)
    expect(bothWays(list, mover, other, add('beta', 'new'))).toBe(
      '# Plan\n\n1. alpha\n   1. beta\n3. new\n   1. gamma\n4. delta\n\nBehind.\n',
    )
  })

  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'lambda', 'omega', 'sigma']
  const act = fc.record({
    who: fc.nat(1),
    item: fc.nat(7),
    kind: fc.constantFrom('add', 'remove', 'indent', 'outdent', 'up', 'down', 'write'),
  })

  const isWithin = (one: Person, other: Person) =>
    one.written.some(
      ({ start, original }) =>
        original === '' &&
        other.written.some((wide) => wide.start < start && start < wide.start + wide.original.length),
    )

  test('lose no word, in whichever order all is accepted', () => {
    const text = `# Plan\n\nBefore.\n\n${names.map((name, i) => `${i + 1}. ${name} item`).join('\n')}\n\nBehind.\n`
    fc.assert(
      fc.property(
        fc.array(fc.nat(1), { minLength: 8, maxLength: 8 }),
        fc.array(act, { maxLength: 10 }),
        fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }),
        (owners, acts, random) => {
          const people = [new Person(text), new Person(text)]
          const words = new Set(names)
          for (const [i, { who, item, kind }] of acts.entries()) {
            const [person, name] = [people[who]!, names[item]!]
            // Anybody adds behind any item; anything else is done by one of them only.
            if ((kind !== 'add' && owners[item] !== who) || !person.behind(name)) continue
            const { head } = person.state.selection.main
            if (kind === 'add') {
              person.cursor(person.state.doc.lineAt(head).to).run(continueMarkup).type(`new${i}`)
              words.add(`new${i}`)
            } else if (kind === 'remove') {
              person.takeLineOut()
              words.delete(name)
            } else if (kind === 'write') person.type(`-${i}`)
            else person.run({ indent, outdent, up: moveLinesUp, down: moveLinesDown }[kind])
          }
          // What takes out the text around another’s place can’t be accepted behind that.
          fc.pre(!isWithin(people[0]!, people[1]!) && !isWithin(people[1]!, people[0]!))
          let turn = 0
          const order = (count: number) => random[turn++ % 40]! % count
          // Whoever has the text open sees each acceptance, and keeps what is left.
          const result = accepted(text, people, order, (changes, left) => {
            for (const [who, person] of people.entries()) {
              person.others(changes)
              const own = left.filter(({ id }) => id.startsWith(`${who}.`))
              expect(person.written.length).toBeGreaterThanOrEqual(own.length)
            }
          })
          for (const person of people) expect(person.document).toBe(result)
          const found = [...result.matchAll(/^ *\d+\. ([a-z]+\d*)(?:-\d+)*(?: item)?$/gm)].map(
            ([, word]) => word,
          )
          expect(found.toSorted()).toEqual([...words].toSorted())
        },
      ),
      { numRuns: Number(process.env['GALLEY_RUNS'] ?? 300) },
    )
  })
})

describe('two people who suggest in one table', () => {
  const table =
    '| Who | Where | When |\n|-----|:-----:|---|\n| Ada | Rome | May |\n| Bob|Oslo | June |\n\nBehind.\n'
  const at = (words: string, act: (person: Person) => unknown) => {
    const person = new Person(table)
    person.behind(words)
    act(person)
    return person
  }
  const edit = (words: string, name: TableEditName) => at(words, (person) => person.run(editTable(name)))
  const type = (words: string, typed: string) => at(words, (person) => person.type(typed).run(nextCell))

  test('change cells of one row and of one column', () => {
    const wide = ' with some more words than the column has room for'
    expect(type('Rome', wide).written).toEqual([{ start: 55, original: '', suggested: wide }])
    expect(bothWays(table, type('Rome', wide), type('Ada', ' B.'), type('Oslo', '!'))).toBe(
      table.replace('Rome', `Rome${wide}`).replace('Ada', 'Ada B.').replace('Oslo', 'Oslo!'),
    )
    const over = at('Rome', (person) => {
      const { head } = person.state.selection.main
      person.cursor(head - 4, head).type('Pisa')
    })
    expect(bothWays(table, over, type('May', ' 3'), type('Where', '?'))).toBe(
      table.replace('Rome', 'Pisa').replace('May', 'May 3').replace('Where', 'Where?'),
    )
  })

  test('put rows in, take them out, move and align, each for themselves', () => {
    const row = at('May', (person) => person.run(editTable('rowBelow')).type('Cy'))
    expect(row.shown).toContain('| Ada | Rome | May |[+\n|  |  | Cy |]\n| Bob|Oslo')
    expect(bothWays(table, row, edit('Ada', 'deleteRow'), type('Bob', 'by'))).toBe(
      '| Who | Where | When |\n|-----|:-----:|---|\n|  |  | Cy |\n| Bobby|Oslo | June |\n\nBehind.\n',
    )
    const rowTaken = at('Ada', (person) => person.takeLineOut())
    expect(rowTaken.written).toEqual(edit('Ada', 'deleteRow').written)
    expect(bothWays(table, edit('Ada', 'rowDown'), type('Oslo', '!'))).toContain(
      '| Bob|Oslo! | June |\n| Ada |',
    )
    expect(bothWays(table, edit('Who', 'alignRight'), edit('When', 'alignLeft'), row)).toContain(
      '|-----:|:-----:|:---|',
    )
  })
})

test('two people suggest a footnote each', () => {
  const note = (text: string, at: number, words: string) => {
    const person = new Person(text)
    person.dispatch(inserting(person.cursor(at).state, { from: at, to: at }, 'footnote'))
    return person.type(words)
  }
  const text = 'One and\n\ntwo and\n\nthree.\n'
  const read = accepted(text, [note(text, 3, 'First.'), note(text, 12, 'Second.')], first)
  const { html } = renderMarkdown(read)
  for (const words of ['First.', 'Second.']) expect(html).toContain(words)
})
