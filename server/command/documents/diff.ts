import { textDiff } from '../../domain/diff/index.ts'
import { unifiedDiff } from '../../domain/unified-diff.ts'
import { CommandError, UsageError, type CommandDefinition } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { docHelp, docWord, findDocument } from './find.ts'
import { textOf } from './input.ts'
import { numberOf } from './list.ts'
import { harmless } from './shown.ts'

export const docDiff: CommandDefinition = {
  name: 'doc diff',
  usage: 'DOC [FILE] [--from N] [--to N]',
  summary: 'Show what has changed in a text, or how a file differs from it.',
  takes: { ...docWord, most: 2 },
  options: { from: { type: 'string' }, to: { type: 'string' }, ...galleyOptions },
  help: [
    docHelp,
    ['FILE', 'show how this differs from the text; “-” for standard input'],
    ['--from N', 'since this revision (the version before the last; with FILE, as it is now)'],
    ['--to N', 'up to this revision (as it is now)'],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const [named, file] = positionals
      const from = numberOf(values['from'], '--from')
      const to = numberOf(values['to'], '--to')
      if (file !== undefined && to !== undefined)
        throw new UsageError('FILE is what the text is compared with, so it goes with no --to.')
      const id = await findDocument(galley, named!)
      const after =
        file === undefined
          ? await textAt(galley, id, to)
          : { name: file === '-' ? 'standard input' : file, content: await textOf(file, terminal) }
      const before = await textAt(
        galley,
        id,
        from ?? (file === undefined ? await versionBefore(galley, id, to) : undefined),
      )
      const names = { from: before.name, to: after.name }
      const diff = differing(before, after)
      if (values['json'] === true) terminal.out(asJson({ ...names, diff }))
      else if (diff !== '') {
        const lines = diff.split('\n')
        const readable = terminal.isRead ? lines.map(harmless) : lines
        terminal.out((terminal.colours ? readable.map(coloured) : readable).join('\n'))
      } else if (terminal.isRead) terminal.error('Nothing differs.')
      return 0
    }),
}

interface NamedText {
  name: string
  content: string
}

/** How one text differs from another, as `diff -u` says it, without the last line end. Empty where they are the same. */
function differing(before: NamedText, after: NamedText): string {
  const changes = textDiff(before.content, after.content).map(({ fromA, toA, fromB, toB }) => ({
    start: fromA,
    end: toA,
    text: after.content.slice(fromB, toB),
  }))
  return unifiedDiff(before.content, changes, { before: before.name, after: after.name }).slice(0, -1)
}

async function textAt(galley: AskedGalley, id: string, revision: number | undefined): Promise<NamedText> {
  const { revision: read, content } =
    revision === undefined
      ? await galley.call('getDocument', { params: { id } })
      : await galley.call('getRevision', { params: { id, revision } })
  return { name: `revision ${read}`, content }
}

/** Where the version before the last ended, or before the one at a revision. */
async function versionBefore(galley: AskedGalley, id: string, revision = Infinity): Promise<number> {
  const versions = await galley.call('listVersions', { params: { id } })
  const before = versions.filter((version) => version.revision <= revision)[1]
  if (before) return before.revision
  throw new CommandError(
    'There is no version before it to compare it with. “galley doc versions DOC” lists those there are.',
    exitCodes.notFound.code,
  )
}

const coloured = (line: string) => {
  const colour = line.startsWith('@@') ? 36 : line.startsWith('-') ? 31 : line.startsWith('+') ? 32 : 0
  return colour === 0 ? line : `\u001b[${colour}m${line}\u001b[0m`
}
