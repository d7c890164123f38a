// A first line like `key:` tells front matter from a thematic break followed by a heading.
const frontMatter =
  /^---[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[A-Za-z_"'][^\n:]*:(?:[ \t][^\n]*)?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)/

/** How many characters of YAML front matter the document starts with. */
export function frontMatterLength(text: string): number {
  return frontMatter.exec(text)?.[0].length ?? 0
}
