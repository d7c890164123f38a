import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Document } from '../../contract/records/documents.ts'
import { fileNameOf } from '../../domain/file-name.ts'
import { CommandError, UsageError, type CommandDefinition, type Terminal } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { docHelp, docWord, findDocument } from './find.ts'
import { textOf } from './input.ts'
import { numberOf } from './list.ts'
import { BothChanged, saveOver } from './save.ts'
import { onOneLine } from './shown.ts'

export const docEdit: CommandDefinition = {
  name: 'doc edit',
  usage: 'DOC [FILE] [--title T] [--revision N]',
  summary: 'Change a document: its text, its title, or both.',
  takes: { ...docWord, most: 2 },
  options: { title: { type: 'string' }, revision: { type: 'string' }, ...galleyOptions },
  help: [
    docHelp,
    ['FILE', 'its new text; “-” for standard input; without FILE and --title your editor opens'],
    ['--title T', 'its new title'],
    [
      '--revision N',
      'the revision the text was made of: what others changed since is kept, or it is refused',
    ],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const [named, file] = positionals
      const title = values['title'] as string | undefined
      const revision = numberOf(values['revision'], '--revision')
      if (revision !== undefined && file === undefined)
        throw new UsageError('--revision says what FILE was made of, so it goes with FILE.')
      if (file === undefined && title === undefined && !terminal.edit)
        throw new UsageError('Say what the text is to be: FILE, or “-” for standard input.')
      const id = await findDocument(galley, named!)
      let changed: Document | undefined
      if (file !== undefined) changed = await replaceText(galley, id, await textOf(file, terminal), revision)
      if (title !== undefined)
        changed = await galley.call('updateDocument', { params: { id }, body: { title } })
      if (file === undefined && title === undefined) changed = await editText(galley, id, terminal)
      if (!changed) terminal.error('Nothing was changed.')
      if (values['json'] === true)
        terminal.out(asJson(changed ?? (await galley.call('getDocument', { params: { id } }))))
      else if (changed)
        terminal.error(`Changed “${onOneLine(changed.title)}”: it is at revision ${changed.revision}.`)
      return 0
    }),
}

async function replaceText(
  galley: AskedGalley,
  id: string,
  content: string,
  revision: number | undefined,
): Promise<Document> {
  const params = { id }
  if (revision === undefined) return galley.call('updateDocument', { params, body: { content } })
  const base = await galley.call('getRevision', { params: { ...params, revision } })
  try {
    return (await saveOver(galley, id, base, content)).document
  } catch (error) {
    if (!(error instanceof BothChanged)) throw error
    throw new CommandError(
      `The same words were changed since revision ${revision}; it is at ${error.theirs.revision} now, and nothing was changed. “galley doc diff ${id} --from ${revision}” shows what was.`,
      exitCodes.conflict.code,
    )
  }
}

/** Opens an editor on the text; what it leaves is the text. Undefined where that is the same. */
async function editText(galley: AskedGalley, id: string, terminal: Terminal): Promise<Document | undefined> {
  const base = await galley.call('getDocument', { params: { id } })
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-edit-'))
  const file = path.join(folder, `${fileNameOf(base.title)}.md`)
  let isSaved = false
  try {
    writeFileSync(file, base.content, { mode: 0o600 })
    await terminal.edit!(file)
    const content = readFileSync(file, 'utf8')
    if (content === base.content) {
      isSaved = true
      return undefined
    }
    const { document, isMerged } = await saveOver(galley, id, base, content)
    if (isMerged) terminal.error('Others have changed it meanwhile; what they did is kept.')
    isSaved = true
    return document
  } catch (error) {
    const why = error instanceof BothChanged ? 'Others have changed the same words meanwhile' : undefined
    const hint = `What you wrote is in ${file}.`
    if (why)
      throw new CommandError(
        `${why}, and nothing was changed. ${hint} “galley doc diff ${id} FILE” compares it.`,
        exitCodes.conflict.code,
      )
    terminal.error(hint)
    throw error
  } finally {
    // What couldn't be saved is all there is of it.
    if (isSaved) rmSync(folder, { recursive: true })
  }
}
