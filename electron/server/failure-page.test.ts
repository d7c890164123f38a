import { expect, test } from 'vitest'
import { failurePage } from './failure-page.ts'
import { plainPageUrl } from '../windows/plain-page.ts'
import { describeFailure } from './failure-messages.ts'
import type { ServerFailure } from './server-messages.ts'

const reasons: Record<ServerFailure['reason'], RegExp> = {
  'in use': /another Galley/,
  damaged: /damaged/,
  'not galley': /not made by Galley/,
  newer: /newer/,
  'no room': /full/,
  'no permission': /may not/,
  port: /port/,
  crashed: /stopping/,
  failed: /could not start/,
}

test.each(Object.entries(reasons))('%s is said in words of its own, with what to do', (reason, words) => {
  const { title, text } = describeFailure(
    { reason: reason as ServerFailure['reason'], message: '' },
    '/notes',
  )
  expect(`${title} ${text.join(' ')}`).toMatch(words)
  expect(text.at(-1)).toMatch(/try again|start it again/i)
})

test('restoring is offered where it would help', () => {
  const page = (reason: ServerFailure['reason']) =>
    failurePage(describeFailure({ reason, message: '' }, '/notes'), '')
  expect(page('damaged')).toContain('Restore from backup')
  expect(page('in use')).not.toContain('Restore')
})

test('no text can become markup', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror="alert(1)">'
  const page = failurePage(describeFailure({ reason: 'in use', message: '' }, hostile), hostile)
  expect(page).not.toMatch(/<script|<img/)
  expect(page).toContain('&lt;script&gt;')
})

test('the page loads nothing and runs nothing', () => {
  const page = failurePage({ title: 'T', text: ['t'] }, 'd')
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  expect(page).not.toMatch(/ src=| href=| on\w+=|<script/)
})

test('its address holds the page and nothing that would end it early', () => {
  const url = plainPageUrl('<p>Größe #1</p>')
  expect(url).not.toContain('#')
  expect(Buffer.from(url.split(',')[1]!, 'base64').toString()).toBe('<p>Größe #1</p>')
})
