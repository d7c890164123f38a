import { searchable, type SearchTerm } from '../domain/search-terms.ts'
import { fold, wordsIn } from '../domain/search-words.ts'
import type { Db } from './database.ts'

/** After every word that begins with what is before it. */
const last = '\u{10ffff}'

/** For so long, in ms, a word that stands very often is taken to do so. */
const rememberedMs = 600_000
const mostRemembered = 1_000

/**
 * How often the words that a search looks for stand in all texts, as far as anybody wants to know: to find and rank them
 * takes that long, and to count them a tenth of it.
 */
export function searchWeights(db: Db, now = () => performance.now()) {
  /** Words, and how often they stood at least: counting thousands again takes a while, and says the same for long. */
  const frequent = new Map<string, { times: number; at: number }>()
  function isKnownFor(word: string, times: number): boolean {
    const known = frequent.get(word)
    return known !== undefined && known.times >= times && now() - known.at < rememberedMs
  }
  function remember(word: string, times: number) {
    if (frequent.size >= mostRemembered) frequent.clear()
    frequent.set(word, { times, at: now() })
  }
  const indexes = ['documents_fts', 'search_parts_fts'].map((index) => {
    const terms = `temp.${index}_terms`
    db.exec(`CREATE VIRTUAL TABLE ${terms} USING fts5vocab(main, ${index}, instance)`)
    const count = (where: string) => `SELECT count(*) FROM (SELECT 1 FROM ${where} LIMIT @most)`
    return {
      word: db.prepare<{ word: string; most: number }, number>(count(`${terms} WHERE term = @word`)).pluck(),
      beginning: db
        .prepare<{ word: string; end: string; most: number }, number>(
          count(`${terms} WHERE term >= @word AND term < @end`),
        )
        .pluck(),
      words: db
        .prepare<{ words: string; most: number }, number>(
          count(`json_each(@words) j CROSS JOIN ${terms} t ON t.term = j.value`),
        )
        .pluck(),
    }
  })
  type Index = (typeof indexes)[number]
  const beginning = ({ beginning }: Index, word: string, most: number) =>
    beginning.get({ word, end: word + last, most })!

  /** Adds up what `each` finds in the indexes, until there is no room. */
  function add(withParts: boolean, most: number, each: (index: Index, most: number) => number): number {
    let sum = 0
    for (const index of withParts ? indexes : indexes.slice(0, 1))
      if (sum < most) sum += each(index, most - sum)
    return sum
  }

  return {
    /** Of the terms as they are; `most` where there are as many or more. */
    ofTerms(terms: readonly SearchTerm[], withParts: boolean, most: number): number {
      let sum = 0
      for (const { text, prefix } of terms) {
        const words = [...wordsIn(searchable(text))].map(([word]) => fold(word))
        for (const [at, word] of words.entries()) {
          if (sum >= most) return most
          const goesOn = prefix && at === words.length - 1
          const named = goesOn ? `${word}*` : word
          if (isKnownFor(named, most)) return most
          const found = add(withParts, most - sum, (index, room) =>
            goesOn ? beginning(index, word, room) : index.word.get({ word, most: room })!,
          )
          if (found >= most) remember(named, found)
          sum += found
        }
      }
      return sum
    },
    /** Of the terms where they stand at the beginning of words, and of the words that have them inside. */
    ofInside(
      terms: readonly SearchTerm[],
      words: readonly string[],
      withParts: boolean,
      most: number,
    ): number {
      // Each that has to be looked up costs something, wherever it stands.
      let sum = words.length * ofLookUp
      for (const { inside } of terms) {
        if (inside === undefined) continue
        if (sum >= most) return most
        sum += add(withParts, most - sum, (index, room) => beginning(index, inside, room))
      }
      if (sum >= most || words.length === 0) return Math.min(sum, most)
      const list = JSON.stringify(words)
      return sum + add(withParts, most - sum, (index, room) => index.words.get({ words: list, most: room })!)
    },
  }
}
const ofLookUp = 30
