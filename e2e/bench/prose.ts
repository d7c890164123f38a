/** Prose of a wanted length from a fixed vocabulary and a seed: the same bytes in every run. */
export function prose(seed: number, length: number): string {
  let state = seed * 2654435761 + 1
  // Park–Miller's minimal standard generator: good enough to choose words, and the same everywhere.
  const next = (below: number) => {
    state = (Math.abs(state) % 2147483647 || 1) * 48271
    state %= 2147483647
    return state % below
  }
  const word = () =>
    syllables[next(12)]! +
    syllables[next(syllables.length)]! +
    (next(3) ? '' : syllables[next(syllables.length)]!)
  let text = `# ${word()} ${word()}\n\n`
  while (text.length < length) {
    const kind = next(12)
    if (kind === 0) text += `## ${word()} ${word()} ${word()}\n\n`
    else if (kind === 1) text += `- ${word()} **${word()}**\n- ${word()} ${word()}\n\n`
    else if (kind === 2) text += `> ${word()} ${word()} [${word()}](https://example.org/${word()})\n\n`
    else {
      const words = Array.from({ length: 20 + next(40) }, word)
      text += `${words.join(' ')}.\n\n`
    }
  }
  return text.slice(0, length)
}

const syllables =
  'la ter mo ri san ve no qui del tra bas ne cor lu pen dis fa gre hol im jor ka mar os pla ro sti ul von wes yar zen'.split(
    ' ',
  )
