import { expect, it } from 'vitest'
import { firstWord } from './anchors/insertion-place.ts'
import { taskTickIn } from './task-tick.ts'

/** The change is written `{-was=>will-}`; where it shows, and whether the task is done then. */
function shown(noted: string) {
  const [all, was, will] = /\{-(.*?)=>(.*?)-\}/s.exec(noted)!
  const start = noted.indexOf(all)
  const content = noted.replace(all, was!)
  const tick = taskTickIn(content, { start, end: start + was!.length }, will!)
  if (!tick) return null
  const word = firstWord(content, tick.range)
  return [tick.isDone, content.slice(word.start, word.end), tick.original, tick.suggested]
}

it('is of the item in whose box it stands', () => {
  expect(shown('- [ ] first\n- [{- =>x-}] second')).toEqual([true, 'second', '- [ ] second', '- [x] second'])
  expect(shown('- [ ] first\n- [{-x=> -}] second\n')).toEqual([
    false,
    'second',
    '- [x] second',
    '- [ ] second',
  ])
  expect(shown('> * {-[ ]=>[X]-} a b')).toEqual([true, 'a', '> * [ ] a b', '> * [X] a b'])
  expect(shown('  1. [{- =>x-}] a')).toEqual([true, 'a', '  1. [ ] a', '  1. [x] a'])
  expect(shown('- {-[x] =>[ ] -}**a** b')?.slice(0, 2)).toEqual([false, '**a**'])
})

it('is nothing else', () => {
  expect(shown('- [{-x=>X-}] a')).toBeNull()
  expect(shown('- [{- =>x -}] a')).toBeNull()
  expect(shown('- [ {-] =>x] -}a')).toBeNull()
  expect(shown('- {-[ ] =>-}a')).toBeNull()
  expect(shown('- {-[ ] a=>[x] b-}')).toBeNull()
  expect(shown('a [{- =>x-}] b')).toBeNull()
})
