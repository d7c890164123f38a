import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSnippet } from './snippet.ts'
import { searchTerms } from '../domain/search-terms.ts'
import path from 'node:path'
import { findRecordDamage } from './check.ts'
import { testFolder, testStore } from './testing/store.ts'

/** The titles found, best first. */
const search = (at: ReturnType<typeof testStore>, query: string) =>
  at.store.search.find({ owner: at.owner.id, query, limit: 100, offset: 0 }).map(({ title }) => title)

describe('what is found', () => {
  const library = () => {
    const at = testStore()
    at.create('The quick brown fox jumps over the lazy dog.', 'Pangram')
    at.create('A fox is brown. Some are quick.', 'Foxes')
    at.create('Crème brûlée, naïve café, Ångström, İstanbul, Straße', 'Accents')
    at.create('東京都に住んでいます。漢字とかな。', '日本語')
    at.create('สวัสดีชาวโลก', 'ไทย')
    at.create('Привет, мир. Γειά σου Κόσμε.', 'Greetings')
    at.create('before\0hidden after 😀 emoji', 'Odd')
    return at
  }
  test.each([
    ['fox', ['Foxes', 'Pangram']],
    ['FOX brown', ['Foxes', 'Pangram']],
    ['lazy fox', ['Pangram']],
    ['jum', ['Pangram']],
    ['jum ', ['Pangram']],
    ['"jum"', []],
    ['ump', ['Pangram']],
    ['UMPS ', ['Pangram']],
    ['uic rown', ['Foxes', 'Pangram']],
    ['uic lazy', ['Pangram']],
    ['"uick brown"', []],
    ['ngst', ['Accents']],
    ['rûlé', ['Accents']],
    ['trass', []],
    ['traß', ['Accents']],
    ['рив', ['Greetings']],
    ['όσμ', ['Greetings']],
    ['ngra', ['Pangram']],
    ['um', []],
    ['ow', []],
    ['"quick brown"', ['Pangram']],
    ['"brown quick"', []],
    ['"quick bro', ['Pangram']],
    ['"quick bro"', []],
    ['creme brulee', ['Accents']],
    ['Crème', ['Accents']],
    ['angstrom', ['Accents']],
    ['straße', ['Accents']],
    ['東京', ['日本語']],
    ['住', ['日本語']],
    ['漢字', ['日本語']],
    ['京東', []],
    ['ชาวโลก', ['ไทย']],
    ['мир', ['Greetings']],
    ['κοσμε', ['Greetings']],
    ['ΓΕΙΑ ΣΟΥ', ['Greetings']],
    ['Κόσμε', ['Greetings']],
    ['hidden', ['Odd']],
    ['pangram', ['Pangram']],
    ['fox cat', []],
    ['umq', []],
  ])('%s', (query, titles) => {
    const at = library()
    expect(search(at, query).sort()).toEqual(titles.sort())
    // And once it is in the index.
    at.store.searchIndex.write(100)
    expect(search(at, query).sort()).toEqual(titles.sort())
  })

  test('words that are what was looked for count for more than those that only have it inside', () => {
    const at = testStore()
    at.create('harbour harbour harbour', 'Harbour')
    at.create(`${'far from it '.repeat(50)} arbour`, 'Whole')
    at.create(`${'far from it '.repeat(50)} arbours`, 'Beginning')
    expect(search(at, 'arbour')).toEqual(['Whole', 'Beginning', 'Harbour'])
    at.store.searchIndex.write(100)
    at.create('another arbour', 'New')
    at.create('unharboured', 'New inside')
    expect(search(at, 'arbour')).toEqual(['New', 'Whole', 'Beginning', 'Harbour', 'New inside'])
  })

  test('page by page, those that have it inside after the others, each once', () => {
    const at = testStore()
    for (let i = 0; i < 9; i++) at.create(i % 2 ? 'a harbour' : 'an arbour', `${i}`)
    at.store.searchIndex.write(100)
    for (const size of [1, 2, 3, 4, 5, 7, 20]) {
      const found: string[] = []
      for (let offset = 0; offset < 15; offset += size)
        found.push(
          ...at.store.search
            .find({ owner: at.owner.id, query: 'arbour', limit: size, offset })
            .map(({ title }) => title),
        )
      expect(found).toEqual(['0', '2', '4', '6', '8', '1', '3', '5', '7'])
    }
  })

  test('inside of words in the trash', () => {
    const at = library()
    const { number } = at.create('a harbour', 'Away')
    at.store.trash.put({ number })
    const find = (place: 'documents' | 'trash') =>
      at.store.search
        .find({ owner: at.owner.id, query: 'arbou', limit: 10, offset: 0, place })
        .map(({ title }) => title)
    expect([find('documents'), find('trash')]).toEqual([[], ['Away']])
    at.store.searchIndex.write(100)
    expect([find('documents'), find('trash')]).toEqual([[], ['Away']])
  })

  test('a title counts for more than the text', () => {
    const at = testStore()
    at.create('galley galley galley', 'Notes')
    at.create('something else', 'Galley')
    expect(search(at, 'galley')).toEqual(['Galley', 'Notes'])
  })

  test('only the owner’s own', () => {
    const at = library()
    const other = at.store.users.create('Other')
    expect(at.store.search.find({ owner: other.id, query: 'fox', limit: 100, offset: 0 })).toEqual([])
  })

  test('page by page, all of it once, however many are alike', () => {
    const at = testStore()
    for (let i = 0; i < 23; i++) at.create('same words', `${i}`)
    const titles: string[] = []
    for (let offset = 0; offset < 30; offset += 4) {
      titles.push(
        ...at.store.search
          .find({ owner: at.owner.id, query: 'same', limit: 4, offset })
          .map(({ title }) => title),
      )
    }
    expect(new Set(titles).size).toBe(23)
    expect(titles).toHaveLength(23)
  })
})

test('the index follows edits, new titles and deletions at once', () => {
  const at = testStore()
  const { id } = at.create('alpha', 'One')
  expect(search(at, 'alpha')).toEqual(['One'])
  at.edit(id, 'beta')
  expect([search(at, 'alpha'), search(at, 'beta')]).toEqual([[], ['One']])
  at.edit(id, 'beta', { title: 'Two' })
  expect([search(at, 'one'), search(at, 'two')]).toEqual([[], ['Two']])
  at.store.transaction(() => at.store.documents.delete(at.get(id)))
  expect(search(at, 'beta')).toEqual([])
})

describe('no query is a fault', () => {
  test.each([
    '"',
    '"""',
    'OR',
    'AND NOT',
    'NEAR(',
    'NEAR(fox dog, 5)',
    '*',
    'fox*',
    '^fox',
    'title:fox',
    '{title content}: fox',
    '-fox',
    '+',
    '" OR NEAR( *',
    "'; DROP TABLE documents; --",
    'a\0b',
    '\0',
    '\\',
    '((((((((',
    '😀',
    '%',
    'fox"',
    '漢"字',
    '\u202e\u200b',
  ])('%j', (query) => {
    const at = testStore()
    at.create('fox or near drop', 'x')
    expect(Array.isArray(search(at, query))).toBe(true)
  })

  test('a very long one', () => {
    const at = testStore()
    at.create('word')
    for (const query of [
      'word '.repeat(50_000),
      'x'.repeat(500_000),
      '漢'.repeat(20_000),
      '"a b" '.repeat(20_000),
    ]) {
      expect(search(at, query).length).toBeLessThanOrEqual(1)
    }
  })

  test('any text at all', () => {
    const at = testStore()
    at.create('fox')
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (query) => void search(at, query.toWellFormed())))
  })
})

describe('a snippet', () => {
  test('shows the place where the words stand', () => {
    const text = `${'Filler words. '.repeat(200)}Here the needle lies. ${'More filler. '.repeat(200)}`
    const snippet = findSnippet(text, searchTerms('needle'))
    expect(snippet).toMatch(/^… .*needle lies.* …$/)
    expect(snippet.length).toBeLessThan(200)
  })

  test('passes over many words that only begin with what was looked for', () => {
    const text = `${'Lately all was well. '.repeat(100)}${'Filler words. '.repeat(2_000)}He sang la and left.`
    expect(findSnippet(text, searchTerms('la '))).toContain('sang la and left')
  })

  test('finds words that are written with other accents', () => {
    const text = `${'x '.repeat(300)} la crème brûlée`
    expect(findSnippet(text, searchTerms('creme'))).toContain('crème')
  })

  test('shows words that have it inside, if there are no others', () => {
    const filler = 'Filler words. '.repeat(200)
    const inside = `${filler}The harbours froze. ${filler}`
    expect(findSnippet(inside, searchTerms('arbour '))).toContain('harbours froze')
    expect(findSnippet(`${inside}An arbour grew.`, searchTerms('arbour '))).toContain('arbour grew')
    expect(findSnippet(`${'x '.repeat(300)} la crème brûlée`, searchTerms('rulee '))).toContain('brûlée')
  })

  test('is the beginning when only the title matched, on one line', () => {
    expect(findSnippet('# First\n\nline *two*', searchTerms('title'))).toBe('First line two')
  })

  test.each([
    ['A <b>bold</b> word, <span class="x">marked</span>.', 'bold', 'A bold word, marked.'],
    ['<b>bold</b> first', 'title', 'bold first'],
    ['> Said\n> twice: a -> b and 1 > 0', 'twice', 'Said twice: a -> b and 1 > 0'],
    ['See <span class="needle">this</span> one.', 'needle', 'See <span class="needle">this one.'],
    ['Read [the **guide**](https://example.org/a_(b) "Title") now.', 'guide', 'Read the guide now.'],
    ['A ![grey cat](files/cat.png) sat by [the door](#door).', 'sat', 'A grey cat sat by the door.'],
    [
      'See [this](https://needle.example/) one, [or] (not) that.',
      'needle',
      'See this](https://needle.example/) one, [or] (not) that.',
    ],
    ['A `List<String>` of a<b and c.', 'list', 'A List<String> of a<b and c.'],
  ])('shows no tags or addresses of %j', (text, query, expected) => {
    expect(findSnippet(text, searchTerms(query))).toBe(expected)
  })

  test('cuts no tag, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.nat(150),
        fc.nat(150),
        fc.constantFrom('b', 'a href="https://example.org/a b"', 'span class="one two"'),
        (before, after, name) => {
          const tagged = `<${name}>tagged</${name.split(' ')[0]}>`
          const text = `${'xy '.repeat(before)}${tagged} needle ${'xy '.repeat(after)}${tagged} xy xy ${'xy '.repeat(150)}`
          const snippet = findSnippet(text, searchTerms('needle'))
          expect(snippet).toContain('needle')
          expect(snippet).not.toMatch(/[<>="]|class|href|example/)
        },
      ),
    )
  })

  test('never holds half a character, however the text is made', () => {
    const unit = fc.constantFrom('😀', '𝒳', 'a', ' ', '\n', 'e\u0301', '漢', 'needle', 'İ')
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 400 }),
        fc.constantFrom('needle', '漢', '😀', 'a'),
        (units, query) => {
          const snippet = findSnippet(units.join(''), searchTerms(query))
          expect(snippet.isWellFormed()).toBe(true)
          expect(snippet).not.toMatch(/[\r\n]/)
          expect(snippet.length).toBeLessThan(200)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('a run of combining marks is indexed and found in time that grows with its length only', () => {
  const at = testStore()
  const marks = 'α' + '\u0345\u0301\u0316'.repeat(100_000)
  at.create(`${marks} galley`, 'Marks')
  const start = performance.now()
  expect(search(at, 'galley')).toEqual(['Marks'])
  findSnippet(marks, searchTerms('galley'))
  // Normalized as a whole it takes minutes.
  expect(performance.now() - start).toBeLessThan(5_000)
})

describe('in a long text', () => {
  const filler = (length: number) => 'Nothing of interest. '.repeat(Math.ceil(length / 21))
  const indexAll = (at: ReturnType<typeof testStore>) => {
    let slices = 0
    while (at.store.searchIndex.write(100)) slices++
    return slices
  }
  /** Words that stand far apart from each other. */
  const spread = (words: readonly string[], apart = 170_000) =>
    words.map((word) => `${word} ${filler(apart)}`).join('')

  test.each([
    ['alpha', true],
    ['gamma alpha', true],
    ['alpha lazy', true],
    ['Omnibus gamma', true],
    ['alpha beta gamma delta', true],
    ['alpha epsilon', false],
    ['amm', true],
    ['amm lph', true],
    ['amm psilon', false],
    ['"gamma alpha"', false],
    ['"nothing of interest"', true],
    ['"delta nothing of"', true],
    ['δόξα', true],
    ['東京', true],
  ])('what is looked for may stand wherever it likes: %s', (query, isFound) => {
    const at = testStore()
    at.create(spread(['alpha', 'beta', 'gamma', 'delta', 'The lazy fox', 'Δόξα', '東京都']), 'Omnibus')
    at.create('epsilon', 'Short')
    indexAll(at)
    expect(search(at, query)).toEqual(isFound ? ['Omnibus'] : [])
  })

  test('the same is found as in short ones', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'alphabet', 'megaalpha', 'ta')
    const library = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    const query = fc
      .array(fc.oneof(word, fc.constantFrom('alp', 'bet', 'lph', '"beta"')), { minLength: 1, maxLength: 3 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(library, fc.array(query, { minLength: 1, maxLength: 4 }), (documents, queries) => {
        const [short, long] = [testStore(), testStore()]
        for (const [title, words] of documents.entries()) {
          // None of the words stand next to each other in either.
          short.create(words.join(' nothing '), String(title))
          long.create(spread(words, Math.ceil(310_000 / words.length)), String(title))
        }
        indexAll(short)
        indexAll(long)
        for (const one of queries)
          expect([one, search(long, one).toSorted()]).toEqual([one, search(short, one).toSorted()])
        short.store.close()
        long.store.close()
      }),
      { numRuns: 15 },
    )
  })

  test('it is indexed part by part, and found meanwhile as it was', () => {
    const at = testStore()
    const { id } = at.create(spread(['alpha', 'beta', 'gamma', 'delta']), 'Long')
    expect(indexAll(at)).toBeGreaterThanOrEqual(3)
    at.edit(id, spread(['alpha', 'beta', 'gamma', 'omega']))
    expect(search(at, 'alpha delta')).toEqual(['Long'])
    expect(at.store.searchIndex.write(100)).toBe(true)
    expect(search(at, 'alpha beta')).toEqual(['Long'])
    // What changes meanwhile is indexed, too.
    at.edit(id, spread(['sigma', 'beta', 'gamma', 'omega']))
    indexAll(at)
    expect(search(at, 'alpha')).toEqual([])
    expect(search(at, 'delta')).toEqual([])
    expect(search(at, 'sigma omega')).toEqual(['Long'])
    expect(findRecordDamage(at.store.db)).toEqual([])
  })

  test('as it is now, unless it is very long', () => {
    const at = testStore()
    const { id } = at.create(spread(['alpha', 'beta']), 'Long')
    expect(search(at, 'alpha beta')).toEqual(['Long'])
    at.store.searchIndex.write(100)
    at.edit(id, spread(['alpha', 'gamma']))
    expect(search(at, 'beta')).toEqual([])
    expect(search(at, 'alpha')).toEqual(['Long'])
    expect(search(at, 'gamma')).toEqual(['Long'])
    indexAll(at)
    expect(search(at, 'beta')).toEqual([])
    expect(search(at, 'gamma')).toEqual(['Long'])
  })

  test('however often it changes while it is indexed, all of it gets its turn', () => {
    const at = testStore()
    const words = ['alpha', 'beta', 'gamma', 'delta']
    const { id } = at.create(spread(words), 'Long')
    for (let n = 0; n < 6; n++) {
      at.store.searchIndex.write(100)
      at.edit(id, spread([`alpha${n}`, ...words.slice(1)]))
    }
    expect(search(at, 'beta delta')).toEqual(['Long'])
  })

  test('whether it becomes long, or short again, or is gone', () => {
    const at = testStore()
    const { id } = at.create('alpha', 'One')
    indexAll(at)
    at.edit(id, spread(['beta', 'gamma']))
    indexAll(at)
    expect(search(at, 'alpha')).toEqual([])
    expect(search(at, 'beta gamma')).toEqual(['One'])
    expect(findRecordDamage(at.store.db)).toEqual([])
    at.edit(id, 'delta')
    expect(search(at, 'beta')).toEqual([])
    expect(search(at, 'delta')).toEqual(['One'])
    indexAll(at)
    expect(search(at, 'beta')).toEqual([])
    expect(search(at, 'delta')).toEqual(['One'])
    expect(findRecordDamage(at.store.db)).toEqual([])
    at.edit(id, spread(['beta', 'gamma']))
    at.store.searchIndex.write(100)
    at.store.transaction(() => at.store.documents.delete(at.get(id)))
    indexAll(at)
    expect(search(at, 'beta')).toEqual([])
    expect(findRecordDamage(at.store.db)).toEqual([])
  })

  test('an index that was left half-way goes on', () => {
    const file = path.join(testFolder(), 'galley.db')
    const first = testStore({ file })
    first.create(spread(['alpha', 'beta', 'gamma', 'delta']), 'Long')
    first.store.searchIndex.write(1)
    first.store.searchIndex.write(1)
    first.store.close()
    const again = testStore({ file })
    expect(indexAll(again)).toBeLessThan(4)
    expect(search(again, 'alpha delta')).toEqual(['Long'])
  })

  test('a check tells of parts that are missing', () => {
    const at = testStore()
    at.create(spread(['alpha', 'beta', 'gamma']), 'Long')
    indexAll(at)
    const { db } = at.store
    expect(findRecordDamage(db)).toEqual([])
    db.exec('DELETE FROM search_parts_fts WHERE rowid = (SELECT max(number) FROM search_parts)')
    expect(findRecordDamage(db)).toEqual([expect.stringMatching(/missing from the search index/)])
  })
})
