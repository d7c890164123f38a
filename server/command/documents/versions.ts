import { byline, suggesterLine } from '../../domain/byline.ts'
import type { CommandDefinition } from '../command.ts'
import { withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { findDocument, onlyDoc } from './find.ts'
import { minuteOf, onOneLine } from './shown.ts'

export const docVersions: CommandDefinition = {
  name: 'doc versions',
  usage: 'DOC',
  summary: 'List a document’s versions, the newest first: revision, when, what, and by whom.',
  ...onlyDoc,
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const params = { id: await findDocument(galley, positionals[0]!) }
      const versions = await galley.call('listVersions', { params })
      if (values['json'] === true) terminal.out(asJson(versions))
      else
        for (const one of versions) {
          const { revision, created_at, kind, name, suggesters } = one
          const by = [byline(one), ...suggesters.map((each) => `suggested by ${suggesterLine(each)}`)]
          const called = name === null ? '' : `  “${onOneLine(name)}”`
          terminal.out(`${revision}  ${minuteOf(created_at)}  ${kind}  ${by.join(', ')}${called}`)
        }
      return 0
    }),
}
