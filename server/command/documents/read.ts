import { UsageError, type CommandDefinition, type Terminal } from '../command.ts'
import { exportFormatOf, textFormats } from '../export-format.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { docHelp, docWord, findDocument } from './find.ts'
import { numberOf } from './list.ts'
import { harmless } from './shown.ts'

export const docRead: CommandDefinition = {
  name: 'doc read',
  usage: 'DOC [--revision N | [--feedback] [--format F]]',
  summary: 'Print the text of a document, exactly as it is, or as a web page.',
  takes: docWord,
  options: {
    revision: { type: 'string' },
    feedback: { type: 'boolean' },
    format: { type: 'string' },
    ...galleyOptions,
  },
  help: [
    docHelp,
    ['--revision N', 'as it was at this revision'],
    ['--feedback', 'with its pending suggestions and open comments; in markdown as CriticMarkup'],
    ['--format F', 'md (markdown, as it is without this) or html (a web page that holds all it needs)'],
    ...galleyHelp,
  ],
  choices: { format: textFormats },
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const revision = numberOf(values['revision'], '--revision')
      const feedback = values['feedback'] === true
      const format = exportFormatOf(values['format'], textFormats)
      if (feedback && revision !== undefined)
        throw new UsageError('--feedback is on the text as it is now, so it goes with no --revision.')
      if (format !== 'md' && revision !== undefined)
        throw new UsageError('A web page is of the text as it is now, so --format goes with no --revision.')
      const params = { id: await findDocument(galley, positionals[0]!) }
      const document =
        revision === undefined
          ? await galley.call('getDocument', { params })
          : await galley.call('getRevision', { params: { ...params, revision } })
      const isExported = feedback || format !== 'md'
      const content = isExported
        ? await galley.call('exportDocument', {
            params,
            query: { format, ...(feedback ? { feedback: 'true' } : {}) },
          })
        : document.content
      if (values['json'] === true) terminal.out(asJson({ ...document, content }))
      else print(content, terminal)
      return 0
    }),
}

/** Exactly as it is for programs; a person’s terminal gets no control characters, and a line that ends. */
export function print(text: string, terminal: Terminal): void {
  if (!terminal.isRead) terminal.write(text)
  else terminal.write(text === '' || text.endsWith('\n') ? harmless(text) : `${harmless(text)}\n`)
}
