/**
 * No text makes the parser slow, or its tree so deep that whoever walks it runs out of stack: beyond what anybody writes,
 * markup is plain text. Much in the parser looks as far as its block goes for what ends something, or back over all that is
 * open, each time; what that may come to is counted, and where it is too much the rest of the block is plain.
 */
export const bounds = {
  /** Blocks within one another; a list takes two. */
  blocks: 100,
  /** Emphasis, links and pictures within one another; what is further in is plain. */
  inline: 100,
  /** Characters of one run of asterisks or underscores. */
  run: 200,
  /** Steps in one block. */
  steps: 4_000_000,
  /** Steps that each code, link, tag and the like counts as. */
  drawn: 2_000,
  address: 2_000,
  hostPart: 255,
  /** Lines of the definition of a link, which is read anew with each, where that comes to more than those steps. */
  definition: 3,
  /** Of a paragraph, a heading and the like: where it is longer, all of its block is plain, since no block ends within a line. */
  line: 50_000,
  /** A paragraph: beyond, another one begins. */
  paragraph: 100_000,
  quotedLines: 5_000,
}
