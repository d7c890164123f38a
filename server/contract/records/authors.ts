import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { NullableId } from './fields.ts'

export const AuthorName = Type.String({
  minLength: 1,
  maxLength: limits.authorNameLength,
  examples: ['Guest'],
  description:
    'How a guest wants to be named. Control characters and what turns the direction of other words are left out; “Guest” if nothing is left. Ignored when an account makes the request.',
})
export const author = {
  author_id: NullableId('The user who wrote it; null for a guest.', null),
  author_name: Type.String({ examples: ['Guest'] }),
  key_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The name of the API key it was made with; null where no program made it.',
    examples: [null],
  }),
}
