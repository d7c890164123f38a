import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** In a process of its own, whose V8 it is about. */
const program = `
import { saveMemoryWhileIdle } from ${JSON.stringify(new URL('memory-saving.ts', import.meta.url).href)}
const turns = []
let kept = []
const work = setInterval(() => {
  for (let i = 0; i < 200_000; i++) kept.push({ i })
  kept = []
})
const wait = setInterval(() => {}, 1_000)
let released = 0
saveMemoryWhileIdle({
  quietMs: 200,
  tell(saving) {
    turns.push(saving)
    released = 0
    if (!saving) clearInterval(work)
  },
  release() {
    if (turns.length < 3 || ++released < 2) return
    clearInterval(wait)
    console.log(JSON.stringify(turns))
  },
})`

/** Whether V8 compiles what runs hot, before the server has started and after that. */
const starting = `
import { startWithoutCompilers } from ${JSON.stringify(new URL('memory-saving.ts', import.meta.url).href)}
import { setFlagsFromString } from 'node:v8'
setFlagsFromString('--allow-natives-syntax')
const isCompiled = (name) => {
  const sum = new Function('n', \`/* \${name} */ let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum\`)
  for (let i = 0; i < 20_000; i++) sum(1_000)
  return (new Function('f', 'return %GetOptimizationStatus(f)')(sum) & (1 << 4 | 1 << 5)) !== 0
}
const started = startWithoutCompilers()
const before = isCompiled('before')
started()
console.log(JSON.stringify({ before, after: isCompiled('after') }))`

test('V8 compiles nothing of what runs while the server starts, and all the more after that', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', starting], {
    encoding: 'utf8',
  })
  expect(JSON.parse(told)).toEqual({ before: false, after: true })
})

test('V8 saves memory from the start, not while much is done, and again after that, and then gives back what else there is', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    // An unknown flag would be complained of there.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(JSON.parse(told)).toEqual([true, false, true])
})
