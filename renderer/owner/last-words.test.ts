import { expect, it } from 'vitest'
import { LastWords } from './last-words.ts'

it('are said when everyone has spoken, whether or not they could', async () => {
  const words = new LastWords()
  const said: string[] = []
  words.add(() => said.push('at once'))
  words.add(async () => {
    await Promise.resolve()
    said.push('later')
  })
  words.add(() => Promise.reject(new Error('no')))
  words.add(() => {
    throw new Error('no')
  })
  const forget = words.add(() => said.push('forgotten'))
  forget()
  await words.say()
  expect(said).toEqual(['at once', 'later'])
})
