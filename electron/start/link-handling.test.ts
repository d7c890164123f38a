import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { claimLinks, hearLinks } from './link-handling.ts'

const { app } = vi.hoisted(() => {
  const made: Record<string, unknown> = {}
  return { app: made }
})
vi.mock('electron', () => ({ app }))

const claimed: string[] = []
beforeEach(() => {
  vi.restoreAllMocks()
  claimed.length = 0
  const events = new EventEmitter()
  Object.assign(app, {
    isPackaged: true,
    on: events.on.bind(events),
    emit: events.emit.bind(events),
    isDefaultProtocolClient: () => claimed.length > 0,
    setAsDefaultProtocolClient: (scheme: string) => claimed.push(scheme),
  })
})
const on = (platform: NodeJS.Platform) => vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)

test.each(['win32', 'darwin'] as const)('an installed Galley takes its links, once (%s)', (platform) => {
  on(platform)
  claimLinks()
  claimLinks()
  expect(claimed).toEqual(['galley'])
})

test('what is started from its source takes none, nor does it where the package says so', () => {
  on('linux')
  claimLinks()
  on('win32')
  app.isPackaged = false
  claimLinks()
  expect(claimed).toEqual([])
})

test('a link that names a document opens it, any other is passed over', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const opened: string[] = []
  let prevented = 0
  hearLinks((page) => void opened.push(page))
  const emit = app.emit as EventEmitter['emit']
  const event = { preventDefault: () => prevented++ }
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  for (const url of [`galley://documents/${id}`, 'galley://settings', `https://documents/${id}`, 'galley://'])
    emit('open-url', event, url)
  expect(opened).toEqual([`/documents/${id}`])
  expect(prevented).toBe(4)
})
