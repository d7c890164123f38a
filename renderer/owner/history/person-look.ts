import { colourOfAuthor } from '../../ui/person-colour.ts'
import { authorWords } from '../versions/version-words.ts'
import { earlier, type HistoryPerson } from './people.ts'
import './people.css'

const lines = 5

/** The classes of people’s colours and kinds of line, by their numbers: people of one colour have different lines. */
export function looksOf(people: readonly HistoryPerson[]): string[] {
  const looks: string[] = []
  for (const [number, person] of people.entries()) {
    const look = (line: number) => `${colourOfAuthor(person) ?? 'nobody'} line-${line % lines}`
    const free = Array.from({ length: lines }, (_, i) => look(number + i)).find((one) => !looks.includes(one))
    looks.push(free ?? look(number))
  }
  return looks
}

/** The custom property with their colour. */
export const paintOf = (person: HistoryPerson | undefined): string =>
  `var(--${(person && colourOfAuthor(person)) ?? 'ink-faint'})`

/** What a person is called, and whether they are a guest, or a program. */
export const nameOf = (person: HistoryPerson): string =>
  person === earlier ? 'Written earlier' : person.author_name === '' ? 'Somebody' : authorWords(person)
