import { expect, it } from 'vitest'
import { FlushBeforeClose } from './flush-before-close.ts'

it('is over when everything was tried, whether or not it could be sent', async () => {
  const flush = new FlushBeforeClose()
  const sent: string[] = []
  flush.add(() => sent.push('at once'))
  flush.add(async () => {
    await Promise.resolve()
    sent.push('later')
  })
  flush.add(() => Promise.reject(new Error('no')))
  flush.add(() => {
    throw new Error('no')
  })
  const forget = flush.add(() => sent.push('forgotten'))
  forget()
  await flush.run()
  expect(sent).toEqual(['at once', 'later'])
})
