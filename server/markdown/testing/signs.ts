/** Stand for what is drawn as a whole, in characters that nobody writes. */
export const signs = { image: '\uE0F0', maths: '\uE0F1', note: '\uE0F2' }
export type Sign = keyof typeof signs
