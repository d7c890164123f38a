import { UsageError, type CommandDefinition } from '../command.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { anchorOf } from './anchor.ts'
import { docHelp, findDocument } from './find.ts'
import { saidIn } from './input.ts'
import { numberOf } from './list.ts'
import { oneOf } from './one-of.ts'

const occurrenceHelp: [string, string] = ['--occurrence N', 'which of the places where these words stand']

export const comment: CommandDefinition = {
  name: 'comment',
  usage: 'DOC TEXT [--on WORDS] [--reply-to ID]',
  summary: 'Comment on a document or on words in it, or answer somebody, and print the comment’s id.',
  takes: { least: 2, most: 2, what: 'the document, and what to say' },
  options: {
    on: { type: 'string' },
    occurrence: { type: 'string' },
    'reply-to': { type: 'string' },
    ...galleyOptions,
  },
  help: [
    docHelp,
    ['TEXT', 'what to say; “-” for standard input'],
    ['--on WORDS', 'the words it is about, exactly as they stand in the text (the whole document)'],
    occurrenceHelp,
    ['--reply-to ID', 'the comment or suggestion it answers, by its id or the beginning of it'],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const [named, said] = positionals
      const on = values['on'] as string | undefined
      const answered = values['reply-to'] as string | undefined
      const occurrence = numberOf(values['occurrence'], '--occurrence')
      if (on !== undefined && answered !== undefined)
        throw new UsageError('An answer is about what it answers, so --reply-to goes with no --on.')
      if (on === '') throw new UsageError('--on takes words that stand in the text.')
      if (occurrence !== undefined && on === undefined)
        throw new UsageError('--occurrence says which of the words of --on are meant.')
      const params = { id: await findDocument(galley, named!) }
      const body = await saidIn(said!, terminal)
      const made =
        answered !== undefined
          ? await reply(galley, params.id, answered, body)
          : await galley.call('createComment', {
              params,
              body: {
                body,
                anchor:
                  on === undefined
                    ? null
                    : anchorOf(await galley.call('getDocument', { params }), on, occurrence),
              },
            })
      terminal.out(values['json'] === true ? asJson(made) : made.id)
      return 0
    }),
}

async function reply(galley: AskedGalley, id: string, answered: string, body: string) {
  const params = { id }
  const [comments, suggestions] = await Promise.all([
    galley.call('listComments', { params }),
    galley.call('listSuggestions', { params }),
  ])
  const one = oneOf('comment or suggestion', [...comments, ...suggestions], answered)
  return 'suggested_text' in one
    ? galley.call('createReply', { params: { id, suggestion_id: one.id }, body: { body } })
    : galley.call('createComment', { params, body: { body, parent_id: one.id } })
}

export const suggest: CommandDefinition = {
  name: 'suggest',
  usage: 'DOC OLD NEW [--note N]',
  summary: 'Suggest other words for some in a document, and print the suggestion’s id.',
  takes: { least: 3, most: 3, what: 'the document, the words, and what to put in their place' },
  options: { note: { type: 'string' }, occurrence: { type: 'string' }, ...galleyOptions },
  help: [
    docHelp,
    ['OLD', 'the words, exactly as they stand in the text'],
    [
      'NEW',
      'what to put in their place; “-” for standard input, without its last line end unless OLD ends in one; empty to take them out',
    ],
    ['--note N', 'why'],
    occurrenceHelp,
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const [named, old, put] = positionals as [string, string, string]
      if (old === '')
        throw new UsageError('OLD is empty. To put words in, say which they come after, in both.')
      const occurrence = numberOf(values['occurrence'], '--occurrence')
      const params = { id: await findDocument(galley, named) }
      // Words that end a line are given another line.
      const suggested_text =
        put === '-' && old.endsWith('\n') ? await terminal.read() : await saidIn(put, terminal)
      const anchor = anchorOf(await galley.call('getDocument', { params }), old, occurrence)
      const note = (values['note'] as string | undefined) ?? null
      const body = { original_text: old, suggested_text, anchor, note }
      const made = await galley.call('createSuggestion', { params, body })
      terminal.out(values['json'] === true ? asJson(made) : made.id)
      return 0
    }),
}
