import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/client-of.ts'
import type { DocumentNews } from '../api/document-news.ts'
import { slowPolling } from '../api/live.ts'
import { CatchingUp } from './catching-up.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A text that has just been opened where no connection tells of changes, and what is asked of the server. */
function deaf(pollEvery = 10_000) {
  let tell: (news?: DocumentNews) => void = () => {}
  const asked: { wait: number; answer: () => void; refuse: (error: ApiError) => void }[] = []
  const due = { files: false }
  const options = {
    text: { revision: 7 },
    saver: { state: { kind: 'saved' }, dirty: false, rest: () => Promise.resolve(), receive: () => true },
    company: { isDeaf: true, isUnheard: false, isFollowing: false, polling: null },
    changes: (wait: number) =>
      new Promise((resolve, reject) => asked.push({ wait, answer: () => resolve({}), refuse: reject })),
    isDue: () => due.files,
    onThere: () => {},
    onLost: () => {},
    onNews: (listener: typeof tell) => {
      tell = listener
      return () => {}
    },
    pollEvery: () => pollEvery,
  }
  const catchingUp = new CatchingUp(options as unknown as ConstructorParameters<typeof CatchingUp>[0])
  const stop = catchingUp.start()
  return { asked, due, stop, catchingUp, company: options.company, tell: (news: DocumentNews) => tell(news) }
}
const soon = () => vi.advanceTimersByTimeAsync(300)

test('who has just opened a text waits for changes, and so hears at once that the link has ended', async () => {
  const { asked, stop } = deaf()
  await soon()
  expect(asked.map(({ wait }) => wait)).toEqual([10])
  stop()
})

test('goes on waiting after a look that news were the reason for', async () => {
  const { asked, stop, tell } = deaf()
  tell({ type: 'changed', document_id: 'd', what: 'permission' })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked.map(({ wait }) => wait)).toEqual([0])
  asked[0]!.answer()
  await soon()
  expect(asked.map(({ wait }) => wait)).toEqual([0, 10])
  stop()
})

test.each([new ApiError('UNAUTHORIZED', 401, 'no'), new ApiError('OFFLINE', 0, 'no')])(
  'asks whoever refuses to let it wait, or says nothing, only now and then (%s)',
  async (error) => {
    const { asked, stop } = deaf()
    await soon()
    asked[0]!.refuse(error)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked).toHaveLength(2)
    stop()
  },
)

test('doesn’t wait for changes while files are due', async () => {
  const { asked, due, stop } = deaf()
  due.files = true
  await soon()
  expect(asked.map(({ wait }) => wait)).toEqual([0])
  asked[0]!.answer()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(asked).toHaveLength(1)
  stop()
})

test('waits for changes, where another connection stands, once that of the text has had its time', async () => {
  const { asked, company, catchingUp, stop } = deaf(slowPolling)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toEqual([])
  company.isUnheard = true
  catchingUp.deafened()
  await soon()
  expect(asked.map(({ wait }) => wait)).toEqual([10])
  company.isDeaf = company.isUnheard = false
  asked[0]!.answer()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(asked).toHaveLength(1)
  stop()
})
