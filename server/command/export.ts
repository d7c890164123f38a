import { existsSync } from 'node:fs'
import path from 'node:path'
import { GalleyError } from '../contract/errors.ts'
import { shownName } from '../domain/shown-name.ts'
import type { UserRow } from '../store/users.ts'
import type { CommandChannel } from './channel.ts'
import { CommandError, counted, UsageError, type CommandDefinition, type Terminal } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { exportFormatOf, exportFormats, type ExportFormat } from './export-format.ts'
import { openExportFolder } from './export-folder.ts'
import type { ExportedFiles, NamedFile } from './exported-files.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'
import { isUnreadable, nameOfDamaged, whatHelps } from './unreadable.ts'

export const exportDocuments: CommandDefinition = {
  name: 'export',
  usage: 'DIR [--track [--all] | [--feedback] [--format F]] [--user U] [--force] [--json]',
  summary:
    'Write every document into a folder, as a markdown file, a web page or a Word file named by its title.',
  takes: { least: 1, most: 1, what: 'the folder to write to' },
  options: {
    track: { type: 'boolean' },
    all: { type: 'boolean' },
    feedback: { type: 'boolean' },
    format: { type: 'string' },
    user: { type: 'string' },
    force: { type: 'boolean' },
    ...jsonOption,
  },
  help: [
    ['DIR', 'a new or an empty folder; a document with pictures or files gets a folder in it'],
    [
      '--track',
      'remember in .galley.json which document each file is; where that is known, bring what changed in Galley to those files, and keep what changed in them',
    ],
    ['--all', 'with --track: into DIR as it is, also those documents that no file in it is known to be'],
    [
      '--feedback',
      'with their pending suggestions and open comments: in markdown as CriticMarkup, on web pages marked in the text and in full below, in Word as tracked changes and comments',
    ],
    [
      '--format F',
      'md (markdown, as it is without this), html (web pages that hold all they need) or docx (Word)',
    ],
    ['--user U', 'only the documents of this user, by name or id'],
    ['--force', 'DIR may hold something already; files of the same names are replaced'],
    jsonHelp,
  ],
  choices: { format: exportFormats },
  knowsNoKey: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const { getUser } = await import('./store.ts')
    const { withReadableStore } = await import('./readable-data.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { listDocumentIds } = await import('../actions/documents.ts')
    const [withFeedback, isTracked, withAll, replace] = (['feedback', 'track', 'all', 'force'] as const).map(
      (name) => values[name] === true,
    )
    if (withFeedback && isTracked)
      throw new UsageError(
        'A text with feedback in it isn’t the document’s, so --feedback goes with no --track.',
      )
    if (replace && isTracked)
      throw new UsageError(
        '--track replaces no file that it doesn’t know, so --force goes with no --track. --all writes documents beside the files that are there.',
      )
    const format = exportFormatOf(values['format'], exportFormats)
    if (format !== 'md' && isTracked)
      throw new UsageError('What is tracked is markdown, so --format goes with no --track.')
    if (withAll && !isTracked) throw new UsageError('Without --track all documents are written anyway.')
    const folder = path.resolve(positionals[0]!)
    return withReadableStore(dataFolder, async (store, data) => {
      const users = values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])]
      const { isEmpty } = openExportFolder(folder)
      const channel = new CommandChannel(store, data, 'cli:export')
      const owners = new Map<string, UserRow>()
      for (const user of users)
        for (const id of await channel.perform(user, listDocumentIds, {}, undefined)) owners.set(id, user)
      const exported: ExportedRecord[] = []
      const isJson = values['json'] === true
      const say = (line: string) => {
        if (!isJson) terminal.out(line)
      }
      const end = (failed: CommandError | undefined) => {
        if (isJson) terminal.out(asJson(exported))
        if (failed) throw failed
        return exitCodes.done.code
      }
      const from = {
        ...{ folder, channel, owners, terminal, format, say, exported },
        blobs: data.files,
        withFeedback: withFeedback!,
        nameOf: new Map<string, string>(),
      }
      try {
        if (isTracked) return end(await exportTracked(from, isEmpty || withAll!))
        if (!isEmpty && !replace)
          throw new CommandError(
            `${folder} is not empty. Choose a new folder, or let --force replace files of the same names.`,
          )
        const { ExportedFiles } = await import('./exported-files.ts')
        const titles = new Map<string, string | undefined>()
        const named = (one: NamedFile) => {
          titles.set(one.file, one.title)
          from.nameOf.set(one.id, one.file)
        }
        const files = new ExportedFiles(folder, data.files, replace!, named, format)
        const failed = await exportAll(from, [...owners], files)
        // Only markdown is ever imported.
        if (format === 'md') await noteTitles(folder, titles)
        return end(failed)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ENOSPC') throw error
        throw new CommandError(`There is no room left on the disk that holds ${folder}.`)
      } finally {
        await channel.close()
      }
    })
  },
}

/** The titles that an import couldn’t tell by the files: their texts are to stay what they are. */
async function noteTitles(folder: string, titles: ReadonlyMap<string, string | undefined>) {
  const { ImportMemory, memoryName } = await import('./import-memory.ts')
  const isAny = [...titles.values()].some((title) => title !== undefined)
  if (!isAny && !existsSync(path.join(folder, memoryName))) return
  const memory = new ImportMemory(folder)
  for (const [file, title] of titles) memory.noteTitle(file, title)
  memory.save()
}

/** Of one document there is no file in this format; the others go on. */
class NotMade extends Error {}

interface Exporting {
  folder: string
  channel: CommandChannel
  owners: ReadonlyMap<string, UserRow>
  terminal: Terminal
  blobs: string
  withFeedback: boolean
  format: ExportFormat
  /** Says it to a person. */
  say: (line: string) => void
  /** What is told a program. */
  exported: ExportedRecord[]
  /** Which file each document has become. */
  nameOf: Map<string, string>
}

/** A document that was exported, and with `--track` what became of its file. */
interface ExportedRecord {
  id: string
  title: string | null
  file: string
  /** The names of those of its files that Galley itself hasn’t any more. */
  missing_files?: string[]
  became?: string
}

/** @returns what could not be done, where the rest was */
async function exportTracked(from: Exporting, withNew: boolean): Promise<CommandError | undefined> {
  const { folder, channel, owners, terminal, blobs, say, exported } = from
  const { ImportMemory, memoryName } = await import('./import-memory.ts')
  const { ExportedFiles } = await import('./exported-files.ts')
  const { FilesBeside } = await import('./files-beside.ts')
  const { openBlobFolder } = await import('../store/blob-folder.ts')
  const { TrackedExport } = await import('./export-tracked.ts')
  const memory = withNew || existsSync(path.join(folder, memoryName)) ? new ImportMemory(folder) : undefined
  const known = new Set(memory?.files().map(([, { id }]) => id))
  if (!memory || (known.size === 0 && !withNew))
    throw new CommandError(
      `${folder} is not empty, and no file in it is known to be a document. “galley import ${folder} --track” makes documents of them; --all writes all documents beside them.`,
    )
  const beside = new FilesBeside([folder], openBlobFolder(blobs))
  const ownerOf = (id: string) => owners.get(id)
  const tracked = new TrackedExport(folder, memory, { channel, beside, blobs, ownerOf })
  const progress = await startProgress(terminal, 'Comparing')
  try {
    await tracked.bringAll(progress.at)
  } finally {
    progress.end()
  }
  for (const { file, why } of tracked.told) terminal.error(`galley: ${file}: ${why}`)
  if (known.size > 0) say(tracked.sum())
  exported.push(...tracked.done)
  const ahead = tracked.ahead()
  if (ahead !== undefined) terminal.error(`galley: ${ahead}`)
  if (withNew) {
    const files = new ExportedFiles(folder, blobs, false, ({ file, id, known, title }) => {
      if (known) memory.note(file, known)
      memory.noteTitle(file, title)
      from.nameOf.set(id, file)
    })
    const failed = await exportAll(
      from,
      [...owners].filter(([id]) => !known.has(id)),
      files,
    ).finally(() => memory.save())
    for (const one of exported) one.became ??= 'new'
    if (failed) return failed
  }
  const { refused, unread } = tracked
  const code = refused > 0 ? exitCodes.conflict.code : exitCodes.failed.code
  if (refused + unread > 0)
    return new CommandError(
      `${counted(refused + unread, 'file')} could not be brought up to date (see above); the rest was.`,
      code,
    )
  return undefined
}

/** @returns what could not be done, where the rest was */
async function exportAll(
  { folder, channel, terminal, withFeedback, format, say, exported, nameOf }: Exporting,
  all: readonly (readonly [id: string, owner: UserRow])[],
  files: ExportedFiles,
): Promise<CommandError | undefined> {
  const { readDocument } = await import('../actions/documents.ts')
  const { listFiles } = await import('../actions/files.ts')
  const { readAsCriticMarkup } = await import('../actions/export-with-feedback.ts')
  const { exportDocument } = await import('../actions/rendering.ts')
  const read = async (user: UserRow, id: string) => {
    if (format === 'md')
      return channel.perform(user, withFeedback ? readAsCriticMarkup : readDocument, { id }, undefined)
    const page = await channel.perform(user, exportDocument, { id }, { format, feedback: withFeedback })
    if (!('html' in page)) throw new Error('A page was asked for.')
    const { pageText, wordFile } = await import('../exported-texts.ts')
    const { title, updated_at } = page
    const make = format === 'docx' ? wordFile : pageText
    const content = await make(channel.blobs, page).catch((error: unknown) => {
      throw error instanceof GalleyError ? new NotMade(`${shownName(title)}: ${error.message}`) : error
    })
    return { title, content, updated_at: new Date(updated_at).toISOString() }
  }
  const progress = await startProgress(terminal, 'Exporting')
  const written: { id: string; title: string; missing: string[] }[] = []
  const problems: string[] = []
  /** Of which what was saved last couldn’t be read. */
  const older: string[] = []
  const listed = (user: UserRow, id: string) =>
    channel.perform(user, listFiles, { id }, undefined).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error
      problems.push(`${nameOfDamaged(channel, id)}: which files it has can’t be read. ${whatHelps}`)
      return []
    })
  try {
    for (const [index, [id, user]] of all.entries()) {
      const document = await read(user, id).catch((error: unknown) => {
        // One that was deleted meanwhile is left out.
        if (error instanceof GalleyError && error.code === 'NOT_FOUND') return undefined
        if (error instanceof NotMade) problems.push(error.message)
        else if (isUnreadable(error))
          problems.push(
            `${nameOfDamaged(channel, id)} is damaged, and no text of it can be read. ${whatHelps}`,
          )
        else throw error
        return undefined
      })
      if (document) {
        // A web page has its pictures in it.
        const attached = format === 'md' ? await listed(user, id) : []
        const named = channel.readsOlder(id) ? { named: `${document.title} (damaged)` } : {}
        const missing = await files.write({ ...document, ...named, id }, attached)
        if (channel.readsOlder(id)) older.push(id)
        for (const name of missing)
          terminal.error(
            `galley: ${shownName(document.title)}: its file ${name} is missing. “galley check” tells more.`,
          )
        written.push({ id, title: document.title, missing })
      }
      progress.at(index + 1, all.length)
    }
    await files.finish()
  } finally {
    progress.end()
    files.close()
  }
  for (const id of older)
    problems.push(
      `${nameOfDamaged(channel, id)} is damaged, and can’t be read as it is now; ${nameOf.get(id)} has what of it can be read. ${whatHelps}`,
    )
  for (const problem of problems) terminal.error(`galley: ${problem}`)
  for (const { id, title, missing } of written)
    exported.push({ id, title, file: nameOf.get(id)!, missing_files: missing })
  if (written.length > 0 || problems.length === 0)
    say(`Exported ${counted(written.length, 'document')} to ${folder}.`)
  if (problems.length === 0) return undefined
  return new CommandError(
    `${counted(problems.length, 'document')} could not be exported (see above); ${written.length > 0 ? 'the rest was' : 'nothing was'}.`,
  )
}
