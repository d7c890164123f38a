import { coloursOfPeople } from '../../../server/contract/colours.ts'
import { colourOf } from '../../ui/person-colour.ts'
import { authorWords } from '../versions/version-words.ts'
import { earlier, type HistoryPerson } from './people.ts'
import './people.css'

const lines = 5

/** The class of a person’s colour and kind of line: people of one colour have different lines. */
export const lookOf = (number: number): string =>
  `${colourOf(number)} line-${(number + Math.floor(number / coloursOfPeople)) % lines}`

/** The custom property with their colour. */
export const paintOf = (number: number): string => `var(--${colourOf(number)})`

/** What a person is called, and whether they are a guest, or a program. */
export const nameOf = (person: HistoryPerson): string =>
  person === earlier ? 'Written earlier' : person.author_name === '' ? 'Somebody' : authorWords(person)
