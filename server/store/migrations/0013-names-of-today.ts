import type Database from 'better-sqlite3'

/** Two tables get the names that everything else calls them by. Devices, which were stored in words, become codes. */
export default function namesOfToday(db: Database.Database) {
  db.exec(`
    ALTER TABLE kept_answers RENAME TO idempotency_records;
    DROP INDEX kept_answers_by_age;
    CREATE INDEX idempotency_records_by_age ON idempotency_records (at);
    ALTER TABLE link_openings RENAME TO link_visits;
    DROP INDEX link_openings_by_link;
    CREATE INDEX link_visits_by_link ON link_visits (link, opened_at DESC);
    DROP INDEX link_openings_by_age;
    CREATE INDEX link_visits_by_age ON link_visits (opened_at);
  `)
  const devices = db.prepare<[], string>('SELECT DISTINCT device FROM link_visits WHERE device IS NOT NULL')
  const change = db.prepare('UPDATE link_visits SET device = ? WHERE device = ?')
  for (const words of devices.pluck().all()) {
    const code = codeOf(words)
    if (code !== undefined) change.run(code, words)
  }
}

/** Undefined for what Galley never wrote; that stays as it is. */
function codeOf(words: string): string | undefined {
  const [name, system] = words.split(' on ')
  const code = name === 'A browser' ? '' : codes.get(name!)
  if (system === undefined || code === undefined) return code === '' ? undefined : code
  const of = codes.get(system)
  return of && `${code}/${of}`
}

const named = [
  ...[
    'Messages',
    'Slack',
    'WhatsApp',
    'Telegram',
    'Discord',
    'Facebook',
    'X',
    'LinkedIn',
    'Microsoft',
    'Mastodon',
  ],
  ...['Bluesky', 'Matrix', 'Google', 'Bing', 'Apple', 'curl', 'Wget'],
  ...['Edge', 'Opera', 'Vivaldi', 'DuckDuckGo', 'Firefox', 'Chrome', 'Safari'],
  ...['iPhone', 'iPad', 'Android', 'ChromeOS', 'Windows', 'Mac', 'Linux'],
]

const codes = new Map([
  ...named.map((name) => [name, name.toLowerCase()] as const),
  ['Samsung Internet', 'samsung-internet'],
  ['a Python program', 'python'],
  ['a Node.js program', 'node'],
  ['a Go program', 'go'],
])
