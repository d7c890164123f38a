const letter = /[\p{L}\p{N}]/u

/** Whether `@` and a name stand at a place of a text: as whole words, not within an address. */
function isMentioned(text: string, at: number, name: string): boolean {
  return (
    text.startsWith(name, at + 1) &&
    !letter.test(text[at - 1] ?? '') &&
    !letter.test(text[at + 1 + name.length] ?? '')
  )
}

/** Whether a text means one of these people. */
export const mentions = (text: string, names: readonly string[]): boolean =>
  names.some((name) => {
    for (let at = text.indexOf(`@${name}`); at >= 0; at = text.indexOf(`@${name}`, at + 1))
      if (isMentioned(text, at, name)) return true
    return false
  })

/** The text with whoever was meant by one name meant by another. `others` are people’s names: of two that stand there the longer is meant. */
export function renamedMentions(text: string, from: string, to: string, others: readonly string[]): string {
  const longer = others.filter((name) => name.length > from.length && name.startsWith(from))
  let renamed = ''
  let done = 0
  for (let at = text.indexOf(`@${from}`); at >= 0; at = text.indexOf(`@${from}`, at + 1)) {
    if (!isMentioned(text, at, from) || longer.some((name) => isMentioned(text, at, name))) continue
    renamed += `${text.slice(done, at)}@${to}`
    done = at + 1 + from.length
  }
  return renamed + text.slice(done)
}
