import { expect, it } from 'vitest'
import { mergeChanges, mergeTexts } from './merge.ts'
import { textDiff } from './diff/index.ts'

it.each([
  ['alpha **bravo** charlie', 'alpha *bravo* charlie', 'alpha ***bravo*** charlie'],
  ['alpha ~~bravo~~ charlie', 'alpha *bravo* charlie', 'alpha ~~*bravo*~~ charlie'],
  ['alpha `bravo` charlie', 'alpha **bravo** charlie', 'alpha **`bravo`** charlie'],
  ['alpha **bravo** charlie', 'alpha `bravo` charlie', 'alpha **`bravo`** charlie'],
  ['alpha ~~bravo~~ charlie', 'alpha *bravo charlie*', 'alpha *~~bravo~~ charlie*'],
  ['alpha ~~bravo charlie~~', 'alpha *bravo* charlie', 'alpha ~~*bravo* charlie~~'],
  ['~~alpha bravo~~ charlie', 'alpha *bravo* charlie', '~~alpha *bravo*~~ charlie'],
  ['alpha ~~bravo~~ charlie', '*alpha bravo* charlie', '*alpha ~~bravo~~* charlie'],
  ['alpha **bravo** charlie', 'alpha **bravo** charlie', 'alpha **bravo** charlie'],
])('of %j and %j either stands within the other', (mine, theirs, both) => {
  const base = 'alpha bravo charlie'
  const [byMine, byTheirs] = [mine, theirs].map((text) => [text, textDiff(base, text)] as const)
  for (const merged of [mergeTexts(base, mine, theirs), mergeChanges(base, [...byMine!], [...byTheirs!])]) {
    expect(merged.text).toBe(both)
    expect(merged.conflicts).toEqual([])
  }
})
