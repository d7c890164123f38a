import { coloursOfPeople } from '../../server/contract/colours.ts'
import './people.css'

/** The class that gives what is a person’s their colour. */
export const colourOf = (colour: number) => `person-${colour % coloursOfPeople}`
