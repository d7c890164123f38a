import { dataFolder as filesOf } from '../data-folder.ts'
import { CommandError, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'

export const tunnelDownload: CommandDefinition = {
  name: 'tunnel download',
  usage: '[--agree] [--json]',
  summary:
    'Say which cloudflared Galley would download for Cloudflare’s tunnels, and download it if you agree.',
  options: { agree: { type: 'boolean' }, ...jsonOption },
  help: [
    ['--agree', 'download it: Cloudflare’s terms apply, and Cloudflare can read what goes through'],
    jsonHelp,
  ],
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    const [{ openDataFolder }, { createCopy }, { downloadFor, release }] = await Promise.all([
      import('../data-folder.ts'),
      import('../tunnel/cloudflared/copy.ts'),
      import('../tunnel/cloudflared/release.ts'),
    ])
    const download = downloadFor()
    if (!download)
      throw new CommandError(
        `Galley knows no cloudflared for this kind of machine. Install it as Cloudflare says: ${release.instructions}`,
      )
    const megabytes = Math.ceil(download.size / 1_000_000)
    const isJson = values['json'] === true
    const say = (line: string) => isJson || terminal.out(line)
    const tell = (file: string | null) => {
      const { version, vendor, licence, terms } = release
      const { url, size, sha256 } = download
      if (isJson) terminal.out(asJson({ version, vendor, licence, terms, url, size, sha256, file }))
    }
    say(`cloudflared ${release.version} by ${release.vendor} (${release.licence}), ${megabytes} MB`)
    say(`from ${download.url}`)
    say(`SHA-256 ${download.sha256}, checked when it has come and before each start`)
    say(`Cloudflare’s terms apply to its tunnels: ${release.terms}`)
    say('Cloudflare can read what goes through its tunnels.')
    if (values['agree'] !== true) {
      say('Nothing was downloaded. Run this again with --agree.')
      tell(null)
      return 1
    }
    openDataFolder(dataFolder)
    const copy = createCopy({ folder: filesOf(dataFolder).cloudflared, version: release.version, download })
    const progress = await startProgress(terminal, 'Downloading')
    const watching = setInterval(() => {
      const at = copy.progress()
      if (at) progress.at(at.received, at.size)
    }, 200)
    try {
      await copy.fetch()
    } catch (error) {
      throw new CommandError((error as Error).message)
    } finally {
      clearInterval(watching)
      progress.end()
    }
    say(`It is at ${copy.file}.`)
    tell(copy.file)
    return 0
  },
}
