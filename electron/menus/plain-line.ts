/**
 * Somebody's words as one short line outside pages: without line ends, control characters and signs that turn the
 * direction of what stands around them.
 */
export function plainLine(text: string, most = 60): string {
  const line = text
    // eslint-disable-next-line no-control-regex -- they are what goes
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
  const signs = [...line]
  return signs.length > most
    ? `${signs
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : line
}
