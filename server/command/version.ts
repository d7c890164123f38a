import { version as number } from '../version.ts'
import type { CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'

export const version: CommandDefinition = {
  name: 'version',
  usage: '[--json]',
  summary: 'Print which version this is.',
  options: jsonOption,
  help: [jsonHelp],
  run({ values, terminal }) {
    terminal.out(values['json'] === true ? asJson({ version: number }) : number)
    return 0
  },
}
