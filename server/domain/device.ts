/** What a `User-Agent` header tells, in codes of our own: the header is anybody's text and goes no further. */
export interface Device {
  /** Whether it is a program that fetches pages by itself, mostly to show a preview of a link. */
  preview: boolean
  /** The device, roughly, or of a preview who shows it; null where it can't be told. */
  device: string | null
}

/** What is looked for in the header, the code that is stored, which never changes, and the name that is shown. */
type Known = readonly [agent: RegExp, code: string | null, name: string]

/** The first that matches counts. Signal passes for WhatsApp, and Apple's Messages for two others at once. */
const previewers: readonly Known[] = [
  [/facebookexternalhit.* Twitterbot/, 'messages', 'Messages'],
  [/Slackbot|Slack-ImgProxy/, 'slack', 'Slack'],
  [/^WhatsApp\//, 'whatsapp', 'WhatsApp'],
  [/TelegramBot/, 'telegram', 'Telegram'],
  [/Discordbot/, 'discord', 'Discord'],
  [/facebookexternalhit|Facebot|meta-external/i, 'facebook', 'Facebook'],
  [/Twitterbot/, 'x', 'X'],
  [/LinkedInBot/, 'linkedin', 'LinkedIn'],
  [/SkypeUriPreview|MicrosoftPreview/, 'microsoft', 'Microsoft'],
  [/Mastodon\//, 'mastodon', 'Mastodon'],
  [/Cardyb/, 'bluesky', 'Bluesky'],
  [/Synapse|Matrix/, 'matrix', 'Matrix'],
  [/Googlebot|Google-|GoogleOther|APIs-Google/, 'google', 'Google'],
  [/bingbot/i, 'bing', 'Bing'],
  [/Applebot/, 'apple', 'Apple'],
  [/bot\b|crawler|spider|preview|embed|unfurl/i, null, ''],
]

/** Programs that somebody wrote a command for. */
const programs: readonly Known[] = [
  [/^curl\//, 'curl', 'curl'],
  [/^Wget\//, 'wget', 'Wget'],
  [/^(python|aiohttp)/i, 'python', 'a Python program'],
  [/^(node|undici|axios)/i, 'node', 'a Node.js program'],
  [/^Go-http-client/, 'go', 'a Go program'],
]

/** Nearly all browsers also name Chrome or Safari, so those come last. */
const browsers: readonly Known[] = [
  [/\bEdg(e|A|iOS)?\//, 'edge', 'Edge'],
  [/\b(OPR|OPT|OPX)\//, 'opera', 'Opera'],
  [/SamsungBrowser\//, 'samsung-internet', 'Samsung Internet'],
  [/Vivaldi\//, 'vivaldi', 'Vivaldi'],
  [/DuckDuckGo\//, 'duckduckgo', 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'firefox', 'Firefox'],
  [/\b(Chrome|HeadlessChrome|CriOS|Chromium)\//, 'chrome', 'Chrome'],
  [/\bVersion\/.*Safari\//, 'safari', 'Safari'],
]

/** An iPad says that it is a Mac unless it is asked for pages for phones. */
const systems: readonly Known[] = [
  [/iPhone|iPod/, 'iphone', 'iPhone'],
  [/iPad/, 'ipad', 'iPad'],
  [/Android/, 'android', 'Android'],
  [/\bCrOS\b/, 'chromeos', 'ChromeOS'],
  [/Windows/, 'windows', 'Windows'],
  [/Macintosh|Mac OS X/, 'mac', 'Mac'],
  [/Linux|X11/, 'linux', 'Linux'],
]

/** Longer headers are no browser's, and are looked at no further. */
const most = 512

export function readUserAgent(userAgent: string | undefined): Device {
  const agent = (userAgent ?? '').slice(0, most)
  const first = (table: readonly Known[]) => table.find(([pattern]) => pattern.test(agent))?.[1]
  const previewer = first(previewers)
  if (previewer !== undefined) return { preview: true, device: previewer }
  const program = first(programs)
  if (program !== undefined) return { preview: false, device: program }
  const browser = first(browsers)
  const system = first(systems)
  if (system === undefined) return { preview: false, device: browser ?? null }
  return { preview: false, device: `${browser ?? ''}/${system}` }
}

const names = new Map([previewers, programs, browsers, systems].flat().map(([, code, name]) => [code, name]))

/** What a code is called: `safari/iphone` is “Safari on iPhone”. One that isn't known is shown as it is. */
export function deviceName(code: string): string {
  const [agent = '', system] = code.split('/')
  const name = agent === '' ? 'A browser' : (names.get(agent) ?? agent)
  return system === undefined ? name : `${name} on ${names.get(system) ?? system}`
}
