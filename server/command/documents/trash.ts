import type { CommandDefinition } from '../command.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { docHelp, docWord, findDocument, onlyDoc, listAllTrashed } from './find.ts'
import { numberOf } from './list.ts'
import { onOneLine } from './shown.ts'

export const docDelete: CommandDefinition = {
  name: 'doc delete',
  usage: 'DOC',
  summary: 'Put a document into the trash, from which “doc restore” brings it back.',
  ...onlyDoc,
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const id = await findDocument(galley, positionals[0]!)
      const trashed = await galley.call('trashDocument', { params: { id } })
      if (values['json'] === true) terminal.out(asJson(trashed))
      else
        terminal.error(
          `Put “${onOneLine(trashed.title)}” into the trash. “galley doc restore ${id}” brings it back.`,
        )
      return 0
    }),
}

export const docRestore: CommandDefinition = {
  name: 'doc restore',
  usage: 'DOC [--revision N]',
  summary: 'Bring a document back from the trash, or the text of an older revision.',
  takes: docWord,
  options: { revision: { type: 'string' }, ...galleyOptions },
  help: [
    docHelp,
    ['--revision N', 'make the text of this revision the present one; nothing after it is lost'],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const revision = numberOf(values['revision'], '--revision')
      const id =
        revision === undefined
          ? await findDocument(galley, positionals[0]!, listAllTrashed, 'in the trash')
          : await findDocument(galley, positionals[0]!)
      const restored =
        revision === undefined
          ? await galley.call('restoreTrashed', { params: { id } })
          : await galley.call('restoreRevision', { params: { id, revision } })
      if (values['json'] === true) terminal.out(asJson(restored))
      else {
        const what =
          revision === undefined
            ? `Brought “${onOneLine(restored.title)}” back from the trash`
            : `“${onOneLine(restored.title)}” has the text of revision ${revision} again`
        terminal.error(`${what}; it is at revision ${restored.revision}.`)
      }
      return 0
    }),
}
