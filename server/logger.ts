import pino, { type DestinationStream, type Logger } from 'pino'

/** Fields that would give away a secret or a text, wherever in a log line they stand. */
const secrets = [
  'token',
  'ticket',
  'key',
  'cookie',
  'authorization',
  'share_token',
  'content',
  'title',
  'body',
  'html',
  'url',
]

/**
 * A structured log on standard error. It holds no tokens, keys, tickets or cookies and no document text: requests
 * aren't logged as such, and these fields are removed should anything log them.
 */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: { req: () => undefined, res: () => undefined },
    },
    destination,
  )
}
