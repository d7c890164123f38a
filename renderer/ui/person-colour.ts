import { coloursOfPeople } from '../../server/contract/colours.ts'
import './people.css'

/** The class that gives what is a person’s their colour. */
export const colourOf = (colour: number) => `person-${colour % coloursOfPeople}`

/** Whoever wrote or said something, as the server tells it. */
interface Coloured {
  author_colour?: number
}

/** The same of what somebody wrote; nothing where it isn’t told whose it is. */
export const colourOfAuthor = ({ author_colour }: Coloured) =>
  author_colour === undefined ? undefined : colourOf(author_colour)

/** Which colour the suggestions of somebody are drawn in: where that isn’t told, as by an older Galley, the last one. */
export const drawnColour = ({ author_colour = coloursOfPeople - 1 }: Coloured): number => author_colour
