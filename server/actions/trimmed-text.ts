import { invalid } from '../contract/errors.ts'
import { codePointLength } from '../domain/code-points.ts'
import { shownName } from '../domain/shown-name.ts'

/**
 * A field's text without the white space around it: 1 to `most` characters.
 * @throws GalleyError VALIDATION_ERROR
 */
export function trimmedText(field: string, text: string, most: number): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(`“${field}” must not be empty.`, field)
  if (codePointLength(trimmed) > most)
    throw invalid(`“${field}” must be at most ${most} characters long.`, field)
  return trimmed
}

/**
 * The same for what is shown on one line, and stays exactly as it was said.
 * @throws GalleyError VALIDATION_ERROR
 */
export function trimmedLine(field: string, text: string, most: number): string {
  const trimmed = trimmedText(field, text, most)
  // eslint-disable-next-line no-control-regex -- these are meant
  if (/[\u0000-\u001f\u007f]/.test(trimmed))
    throw invalid(`“${field}” must be on one line, without control characters.`, field)
  return trimmed
}

/**
 * The same for a name, which stands on one line and turns no other words around.
 * @throws GalleyError VALIDATION_ERROR
 */
export const trimmedName = (field: string, text: string, most: number): string =>
  trimmedText(field, shownName(text), most)
