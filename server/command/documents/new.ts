import path from 'node:path'
import { readImported } from '../../domain/imported-text.ts'
import type { CommandDefinition } from '../command.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { textOf } from './input.ts'

export const docNew: CommandDefinition = {
  name: 'doc new',
  usage: '[FILE] [--title T] [--feedback]',
  summary: 'Make a document and print its id.',
  takes: { least: 0, most: 1, what: 'the file with its text' },
  options: { title: { type: 'string' }, feedback: { type: 'boolean' }, ...galleyOptions },
  help: [
    ['FILE', 'its text; “-” for standard input; without it the document is empty'],
    ['--title T', 'its title (from the text: its front matter or first heading, else the file’s name)'],
    ['--feedback', 'take the suggestions and comments in it, which are CriticMarkup, as feedback'],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const [file] = positionals
      const content = file === undefined ? '' : await textOf(file, terminal)
      const title = values['title'] as string | undefined
      const name = file === undefined || file === '-' ? '' : path.basename(file)
      const body = {
        title: title ?? (file === undefined ? 'Untitled' : readImported(content, name, Date.now()).title),
        content,
        ...(values['feedback'] === true ? { feedback: true } : {}),
      }
      const made = await galley.call('createDocument', { body })
      terminal.out(values['json'] === true ? asJson(made) : made.id)
      return 0
    }),
}
