/** Words on one line, as much of them as helps. */
export function brief(text: string, most = 160): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length <= most && text.length <= most * 4 ? line : `${line.slice(0, most).toWellFormed()}…`
}

export const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
