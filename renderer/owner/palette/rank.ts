import type { Command } from '../commands.svelte.ts'

/** The commands that what was typed may mean, the likeliest first; all of them, in their order, for nothing. */
export function rankCommands(commands: Command[], query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands
  return commands
    .map((command) => ({ command, score: score(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

function score({ label, words: others = [] }: Command, words: string[]): number {
  const parts = label.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const also = others.map((word) => word.toLowerCase())
  let total = 0
  for (const word of words) {
    if (parts[0]?.startsWith(word)) total += 4
    else if (parts.some((part) => part.startsWith(word))) total += 3
    else if (also.some((part) => part.startsWith(word))) total += 1
    else return 0
  }
  return total
}
