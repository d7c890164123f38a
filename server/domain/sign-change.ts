/** The signs at the beginning of a line: of quotes, headings, lists and their boxes, and footnotes. */
export const lineSigns =
  /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\[\^[^\s[\]]+\]:[ \t]*)?/

/** Which signs lines have instead of which, where their words stay; null where any words change. */
export function signChange(original: string, suggested: string): { removed: string; added: string } | null {
  const [was, will] = [original, suggested].map((text) => text.trimEnd().split(/\r?\n/))
  if (original === suggested || was!.length !== will!.length) return null
  const [old, now] = [was!, will!].map((lines) => lines.map((line) => lineSigns.exec(line)![0]))
  const isSame = was!.every((line, i) => line.slice(old![i]!.length) === will![i]!.slice(now![i]!.length))
  const changed = old!.findIndex((signs, i) => signs !== now![i])
  return isSame && changed >= 0 ? { removed: old![changed]!.trim(), added: now![changed]!.trim() } : null
}
