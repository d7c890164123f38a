import { dataFolder as filesOf } from '../data-folder.ts'
import type { CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { placeOf } from './tunnel-options.ts'

export const tunnelSshKey: CommandDefinition = {
  name: 'tunnel ssh-key',
  usage: '[--ssh-listen [A:]N] [--json]',
  summary:
    'Print the line for authorized_keys that lets Galley in at an SSH server; makes a key if there is none.',
  options: { 'ssh-listen': { type: 'string' }, ...jsonOption },
  help: [
    [
      '--ssh-listen [A:]N',
      'the address and port of the server that Galley may have forwarded (127.0.0.1:4781)',
    ],
    jsonHelp,
  ],
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    const [{ openDataFolder }, { openSecretsFile }, { createKey, publicKeyOf }, { authorizedKeysLine }] =
      await Promise.all([
        import('../data-folder.ts'),
        import('../secrets-file.ts'),
        import('../tunnel/ssh/key.ts'),
        import('../contract/ssh.ts'),
      ])
    const listen = values['ssh-listen']
    const place = typeof listen === 'string' ? placeOf(listen) : { bind_port: 4781 }
    openDataFolder(dataFolder)
    const secrets = openSecretsFile(filesOf(dataFolder).secrets)
    const kept = await secrets.find('ssh-key')
    const publicKey = (kept === undefined ? undefined : await publicKeyOf(kept)) ?? (await createKey(secrets))
    const line = authorizedKeysLine(publicKey, { bind_address: '127.0.0.1', ...place })
    terminal.out(values['json'] === true ? asJson({ authorized_keys: line }) : line)
    return 0
  },
}
