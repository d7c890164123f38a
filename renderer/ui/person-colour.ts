import { coloursOfPeople } from '../../server/contract/live.ts'
import './people.css'

/** The class that gives what is a person’s their colour. */
export const colourOf = (colour: number) => `person-${colour % coloursOfPeople}`
