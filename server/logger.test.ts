import { describe, expect, test } from 'vitest'
import { createLogger } from './logger.ts'

function logged(write: (log: ReturnType<typeof createLogger>) => void, level = 'trace'): string {
  let lines = ''
  write(createLogger(level, { write: (line: string) => void (lines += line) }))
  return lines
}

const secret = 'SECRET-5up3r'

describe('nothing secret and no text gets into a log line', () => {
  const fields = [
    'token',
    'share_token',
    'ticket',
    'key',
    'cookie',
    'authorization',
    'content',
    'title',
    'body',
    'html',
    'url',
    'shareUrl',
    'X-Api-Key',
    'text',
    'original_text',
    'suggested_text',
    'note',
    'exact',
    'prefix',
    'suffix',
    'snippet',
    'secret',
    'changes',
    'label',
    'q',
  ]
  test.each(fields)('%s', (field) => {
    const line = logged((log) => {
      log.info({ [field]: secret }, 'flat')
      log.warn({ document: { [field]: secret } }, 'nested')
      log.error({ one: { two: { three: [{ [field]: secret }] } } }, 'deeper')
    })
    expect(line).toContain('deeper')
    expect(line).not.toContain(secret)
  })

  test('requests and replies', () => {
    const req = {
      url: `/share/${secret}?share_token=${secret}`,
      headers: { authorization: secret, cookie: secret },
      body: { content: secret },
    }
    expect(
      logged((log) => log.info({ req, res: { headers: { 'set-cookie': secret } } }, 'request')),
    ).not.toContain(secret)
  })

  test('headers with another spelling', () => {
    const headers = { 'set-cookie': secret, Authorization: secret, Cookie: secret }
    expect(logged((log) => log.info({ headers }, 'x'))).not.toContain(secret)
  })
})

test('a line is one JSON object with level, time and message', () => {
  const lines = logged((log) => log.warn({ code: 'DB_ERROR', route: '/api/documents/:id' }, 'failed\nbadly'))
  expect(lines.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(lines)).toEqual({
    level: 40,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    code: 'DB_ERROR',
    route: '/api/documents/:id',
    msg: 'failed\nbadly',
  })
})

test('an error is told by kind, code and place, and its cause too, but not by its message, which may quote a text', () => {
  const cause = Object.assign(new TypeError(`cannot read ${secret}`), { code: 'E_INNER', data: secret })
  const error = new Error(`bad document: ${secret}`, { cause })
  for (const write of [
    (log: ReturnType<typeof createLogger>) => log.error({ err: error }, 'failed'),
    (log: ReturnType<typeof createLogger>) => log.error(error),
    (log: ReturnType<typeof createLogger>) => log.error(error, 'failed'),
    (log: ReturnType<typeof createLogger>) => log.child({ route: '/x' }).error({ err: error }),
  ]) {
    const line = logged(write)
    expect(line).not.toContain(secret)
    expect(JSON.parse(line)).toMatchObject({
      err: {
        type: 'Error',
        stack: expect.stringContaining('logger.test.ts') as string,
        cause: { type: 'TypeError', code: 'E_INNER' },
      },
    })
  }
})

test('lower levels are left out', () => {
  expect(logged((log) => log.info('too low'), 'warn')).toBe('')
})
