import { expect, it } from 'vitest'
import { deviceName, readUserAgent as read } from './device.ts'

/** What is shown of what is stored. */
function readUserAgent(agent: string | undefined) {
  const { preview, device } = read(agent)
  return { preview, device: device === null ? null : deviceName(device) }
}

const person = (device: string | null) => ({ preview: false, device })
const preview = (device: string | null) => ({ preview: true, device })

it.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS]',
    'A browser on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  ['curl/8.5.0', 'curl'],
])('knows the browser and the system of a person: %s', (agent, device) => {
  expect(readUserAgent(agent)).toEqual(person(device))
})

it.each([
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'Slack'],
  ['WhatsApp/2.23.20.0', 'WhatsApp'],
  ['TelegramBot (like TwitterBot)', 'Telegram'],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'Discord'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'Facebook'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Messages',
  ],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5', 'Microsoft'],
  ['Mozilla/5.0 (compatible; SomeNewBot/1.0)', null],
])('knows who fetches pages for a preview: %s', (agent, by) => {
  expect(readUserAgent(agent)).toEqual(preview(by))
})

it.each([undefined, '', 'x', '<script>alert(1)</script>', '\u0000\u202e'])(
  'repeats nothing of what it doesn’t know: %j',
  (agent) => {
    expect(readUserAgent(agent)).toEqual(person(null))
  },
)

it.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1',
    'safari/iphone',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148 [FBAN/FBIOS]', '/iphone'],
  ['python-requests/2.32', 'python'],
  ['Slackbot-LinkExpanding 1.0', 'slack'],
])('gives codes to be stored, not words: %s', (agent, code) => {
  expect(read(agent).device).toBe(code)
})

it.each(['Netscape', 'netscape/amiga', 'netscape on amiga'])(
  'shows a code that it doesn’t know: %s',
  (code) => {
    expect(deviceName(code)).toBe(code.replace('/', ' on '))
  },
)

it('looks at no more than a browser would say', () => {
  expect(readUserAgent(`${'x '.repeat(100_000)}Firefox/144.0`)).toEqual(person(null))
})
