/** The text as an editor wants it, with every line ending a single `\n`. */
export function toLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
