/** What a `User-Agent` header tells, in our own words: the header is anybody's text and goes no further. */
export interface UserAgent {
  /** Whether it is a program that fetches pages by itself, mostly to show a preview of a link. */
  preview: boolean
  /** The device, roughly, or of a preview who shows it; null where it can't be told. */
  device: string | null
}

/** The first that matches counts. Signal passes for WhatsApp, and Apple's Messages for two others at once. */
const previewers: [agent: RegExp, name: string | null][] = [
  [/facebookexternalhit.* Twitterbot/, 'Messages'],
  [/Slackbot|Slack-ImgProxy/, 'Slack'],
  [/^WhatsApp\//, 'WhatsApp'],
  [/TelegramBot/, 'Telegram'],
  [/Discordbot/, 'Discord'],
  [/facebookexternalhit|Facebot|meta-external/i, 'Facebook'],
  [/Twitterbot/, 'X'],
  [/LinkedInBot/, 'LinkedIn'],
  [/SkypeUriPreview|MicrosoftPreview/, 'Microsoft'],
  [/Mastodon\//, 'Mastodon'],
  [/Cardyb/, 'Bluesky'],
  [/Synapse|Matrix/, 'Matrix'],
  [/Googlebot|Google-|GoogleOther|APIs-Google/, 'Google'],
  [/bingbot/i, 'Bing'],
  [/Applebot/, 'Apple'],
  [/bot\b|crawler|spider|preview|embed|unfurl/i, null],
]

/** Programs that somebody wrote a command for. */
const programs: [agent: RegExp, name: string][] = [
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
  [/^(python|aiohttp)/i, 'a Python program'],
  [/^(node|undici|axios)/i, 'a Node.js program'],
  [/^Go-http-client/, 'a Go program'],
]

/** Nearly all browsers also name Chrome or Safari, so those come last. */
const browsers: [agent: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|OPX)\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Vivaldi\//, 'Vivaldi'],
  [/DuckDuckGo\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
]

/** An iPad says that it is a Mac unless it is asked for pages for phones. */
const systems: [agent: RegExp, name: string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

/** Longer headers are no browser's, and are looked at no further. */
const most = 512

export function readUserAgent(userAgent: string | undefined): UserAgent {
  const agent = (userAgent ?? '').slice(0, most)
  const first = (table: readonly (readonly [RegExp, string | null])[]) =>
    table.find(([pattern]) => pattern.test(agent))
  const previewer = first(previewers)
  if (previewer) return { preview: true, device: previewer[1] }
  const program = first(programs)?.[1]
  if (program) return { preview: false, device: program }
  const browser = first(browsers)?.[1]
  const system = first(systems)?.[1]
  if (system === undefined) return { preview: false, device: browser ?? null }
  return { preview: false, device: `${browser ?? 'A browser'} on ${system}` }
}
