/** The definitions of a text's links, so that a part of it can be rendered with links that are defined elsewhere. */
export function linkDefinitions(text: string): string {
  let fence = ''
  const found: string[] = []
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence) {
      if (mark?.startsWith(fence)) fence = ''
    } else if (mark) fence = mark
    else if (/^ {0,3}\[[^\]^][^\]]{0,999}\]:[ \t]*\S/.test(line)) found.push(line)
  }
  return found.join('\n')
}
