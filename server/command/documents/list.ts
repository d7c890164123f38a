import type { SearchHit } from '../../contract/records/documents.ts'
import { UsageError, type CommandDefinition } from '../command.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { listAll, listAllTrashed } from './find.ts'
import { minuteOf, onOneLine } from './shown.ts'

export const docList: CommandDefinition = {
  name: 'doc list',
  usage: '[--search WORDS] [--limit N] [--trash]',
  summary: 'List your documents, the last changed first.',
  options: {
    search: { type: 'string' },
    limit: { type: 'string' },
    trash: { type: 'boolean' },
    ...galleyOptions,
  },
  help: [
    ['--search WORDS', 'only those with these words, the best match first'],
    ['--limit N', 'at most so many (all)'],
    ['--trash', 'those in the trash, the last deleted first'],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, terminal } = input
      const limit = numberOf(values['limit'], '--limit')
      const wanted = {
        ...(limit === undefined ? {} : { limit }),
        q: values['search'] as string | undefined,
      }
      const found: (SearchHit & { deleted_at?: string })[] =
        values['trash'] === true ? await listAllTrashed(galley, wanted) : await listAll(galley, wanted)
      if (values['json'] === true) terminal.out(asJson(found))
      else
        for (const { id, title, updated_at, deleted_at = updated_at } of found)
          terminal.out(`${id}  ${minuteOf(deleted_at)}  ${onOneLine(title)}`)
      if (found.length === 0 && terminal.isRead) terminal.error('There are none.')
      return 0
    }),
}

/** @throws UsageError */
export function numberOf(value: unknown, option: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value)
  throw new UsageError(`${option} takes a whole number from 1 on.`)
}
