import path from 'node:path'
import { limits } from '../contract/limits.ts'
import { readCriticMarkup } from '../domain/critic-markup/read.ts'
import { tooMuchFeedback, wordsForFeedback, wordsForKept } from '../domain/critic-markup/told.ts'
import { distinctTitles } from '../domain/distinct-titles.ts'
import { readImported, type ImportedText } from '../domain/imported-text.ts'
import { shownSize } from '../domain/shown-size.ts'
import { onOneLine } from './documents/shown.ts'
import { CommandError, counted, UsageError, type CommandDefinition, type Terminal } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { findMarkdownFiles, readMarkdown } from './markdown-files.ts'
import type { TakenFile } from './files-beside.ts'
import { startProgress } from './progress.ts'

/** One transaction's worth of files: few commits, and a server beside never waits long for one. */
const batchFiles = 100
const batchCharacters = 4 * 1024 * 1024

interface Imported extends ImportedText {
  id: string
  /** The file it was made of. */
  path: string
  /** What of its CriticMarkup stayed text. */
  kept: string[]
}

export const importDocuments: CommandDefinition = {
  name: 'import',
  usage: 'PATH… [--track | --feedback] [--user U] [--json]',
  summary: 'Make documents of markdown files, and of all markdown in folders.',
  takes: { least: 1, most: Infinity, what: 'the files and folders to import' },
  options: {
    track: { type: 'boolean' },
    feedback: { type: 'boolean' },
    user: { type: 'string' },
    ...jsonOption,
  },
  help: [
    ['PATH…', 'files, whatever their names; folders, for their .md and .markdown files'],
    [
      '--track',
      'remember in .galley.json which document each file is: next time what changed becomes a change of it',
    ],
    ['--feedback', 'take the suggestions and comments in them, which are CriticMarkup, as feedback'],
    ['--user U', 'whose documents, by name or id (the owner)'],
    jsonHelp,
  ],
  knowsNoKey: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const { getUser, withStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { importTexts } = await import('../actions/import.ts')
    const { openBlobFolder } = await import('../store/blob-folder.ts')
    const { FilesBeside } = await import('./files-beside.ts')
    const { Tracked } = await import('./import-tracked.ts')
    const { NotedTitles } = await import('./noted-titles.ts')
    if (positionals.includes('-'))
      throw new UsageError(
        'Files and folders are imported. “galley doc new -” takes a text from standard input; a file of that name is “./-”.',
      )
    const withFeedback = values['feedback'] === true
    if (withFeedback && values['track'] === true)
      throw new UsageError('Feedback comes with a document’s first text, so --feedback goes with no --track.')
    return withStore(dataFolder, async (store, folder) => {
      const user = getUser(store, values['user'])
      const channel = new CommandChannel(store, folder, 'cli:import')
      const { files, problems, leftOut } = findMarkdownFiles(positionals)
      const beside = new FilesBeside(positionals, openBlobFolder(folder.files))
      const titlesBeside = new NotedTitles(positionals)
      const tracked =
        values['track'] === true ? new Tracked(positionals, { channel, user, beside }) : undefined
      const progress = await startProgress(terminal, 'Importing')
      const imported: Imported[] = []
      let batch: (Omit<Imported, 'id'> & { content: string; source: string; files: TakenFile[] })[] = []
      let characters = 0
      let taken = 0
      const write = async () => {
        const texts = batch.map(({ title, content, created, updated, files }) => {
          return { title, content, createdAt: created, updatedAt: updated, feedback: withFeedback, files }
        })
        const ids = await channel.perform(user, importTexts, {}, texts)
        batch.forEach(({ content: _content, files, source, ...file }, index) => {
          taken += files.length
          imported.push({ ...file, id: ids[index]! })
          tracked?.isMade(file.path, source, ids[index]!)
        })
        tracked?.save()
        await beside.done()
        batch = []
        characters = 0
        // Now rather than at somebody's first search.
        while (store.searchIndex.write(batchFiles));
      }
      const read = (file: string) => {
        const content = readMarkdown(file)
        if (typeof content === 'object') return void problems.push({ path: file, ...content })
        const marks = readMarks(content, withFeedback)
        if ('why' in marks) return void problems.push({ path: file, ...marks })
        const { text, kept } = marks
        const noted = titlesBeside.find(file)
        const title = noted === undefined ? {} : { title: noted }
        const told = readImported(text, path.basename(file), store.now())
        return { content, path: file, kept, ...told, ...title, isNoted: noted !== undefined }
      }
      try {
        const within = pathsWithin(positionals)
        // Read twice, since what each is called depends on the others, and all of them may be more than there is memory.
        const heads = files.flatMap((file, index) => {
          progress.at(index, files.length * 2)
          const found = read(file)
          if (!found) return []
          const { title, isNoted } = found
          return [{ file, path: within(file), title, isNoted }]
        })
        // What an export noted is told apart already.
        const [noted, others] = [heads.filter((one) => one.isNoted), heads.filter((one) => !one.isNoted)]
        const titles = distinctTitles(others)
        const titleOf = new Map([
          ...noted.map(({ file, title }) => [file, title] as const),
          ...others.map(({ file }, index) => [file, titles[index]!] as const),
        ])
        for (const [index, file] of files.entries()) {
          const title = titleOf.get(file)
          const found = title === undefined ? undefined : read(file)
          if (found && (!tracked || (await tracked.isNew(file, found.content)))) {
            const { content, files, missing } = await beside.take(file, found.content)
            batch.push({
              ...found,
              ...{ content, source: found.content, files, title: title!, pictures: missing },
            })
            characters += content.length
          }
          if (batch.length >= batchFiles || characters >= batchCharacters) await write()
          progress.at(files.length + index + 1, files.length * 2)
        }
        if (batch.length > 0) await write()
        await tracked?.tellGone()
        tracked?.save()
      } finally {
        await beside.done()
        progress.end()
      }
      for (const { path: at, why } of problems) terminal.error(`galley: ${at}: ${why}`)
      for (const link of leftOut)
        terminal.error(
          `galley: ${link}: left out, a link that leads out of what was imported. To have it too, name it.`,
        )
      tellLeftOut(imported, terminal)
      for (const { path: file, kept } of imported)
        for (const one of kept) terminal.error(`galley: ${file}: ${one}`)
      for (const { file, why } of tracked?.told ?? []) terminal.error(`galley: ${file}: ${why}`)
      if (values['json'] === true) {
        const made = imported.map(({ id, title, path: file, pictures }) => {
          return { id, title, file, left_out: pictures, ...(tracked && { became: 'new' }) }
        })
        terminal.out(asJson([...made, ...(tracked?.updated ?? [])]))
      } else {
        for (const { id, title } of [...imported, ...(tracked?.updated ?? [])])
          terminal.out(`${id}  ${onOneLine(title)}`)
        if (tracked) terminal.out(tracked.sum())
        terminal.out(
          `Imported ${counted(imported.length, 'document')}${taken > 0 ? ` with ${counted(taken, 'file')}` : ''}.`,
        )
      }
      const refused = tracked?.refused ?? 0
      if (refused > 0)
        throw new CommandError(
          `${counted(refused, 'file')} could not be brought to ${refused === 1 ? 'its' : 'their'} document${problems.length > 0 ? `, and ${counted(problems.length, 'path')} not be imported` : ''} (see above); the rest was.`,
          exitCodes.conflict.code,
        )
      if (problems.length > 0) {
        const isAny = imported.length > 0 || (tracked?.updated.length ?? 0) > 0
        throw new CommandError(
          `${counted(problems.length, 'path')} could not be imported (see above); ${isAny ? 'the rest was' : 'nothing was'}.`,
        )
      }
      return 0
    })
  },
}

/**
 * Says where a file is within what was named, between slashes. Above that no folder says anything about the texts: it
 * is only where somebody happened to keep them. Where several paths were named, what they have in common goes.
 */
function pathsWithin(named: readonly string[]): (file: string) => string {
  const parts = (at: string) => path.resolve(at).split(path.sep)
  const [first = [], ...others] = named.map((at) => parts(at).slice(0, -1))
  const apart = first.findIndex((part, index) => others.some((other) => other[index] !== part))
  const common = apart === -1 ? first.length : apart
  return (file) => parts(file).slice(common).join('/')
}

/** The pictures that couldn’t be taken along. They are named as far as a person reads. */
function tellLeftOut(imported: readonly Imported[], terminal: Terminal) {
  const showing = imported.filter(({ pictures }) => pictures.length > 0)
  if (showing.length === 0) return
  const shown = 20
  for (const { path: file, pictures } of showing.slice(0, shown)) {
    const more = pictures.length > 5 ? ` and ${counted(pictures.length - 5, 'other')}` : ''
    terminal.error(`galley: ${file}: left out ${pictures.slice(0, 5).join(', ')}${more}`)
  }
  if (showing.length > shown)
    terminal.error(`galley: and pictures of ${counted(showing.length - shown, 'more file', 'more files')}`)
  const all = showing.reduce((sum, { pictures }) => sum + pictures.length, 0)
  terminal.error(
    `galley: ${counted(all, 'picture')} couldn’t be taken along: not there, outside of what was imported, larger than ${shownSize(limits.fileBytes)}, or none that Galley shows.`,
  )
}

/** The text of a file beside its CriticMarkup, where that is taken as feedback, and what is to be said of what isn’t. */
function readMarks(
  content: string,
  withFeedback: boolean,
): { text: string; kept: string[] } | { why: string } {
  const read = readCriticMarkup(content)
  if (!read)
    return withFeedback
      ? { why: `has ${tooMuchFeedback} Divide it, or leave --feedback away` }
      : { text: content, kept: [`Its CriticMarkup stayed text.`] }
  const words = wordsForFeedback(read)
  if (!withFeedback)
    return {
      text: content,
      kept: words ? [`${words} in CriticMarkup stayed text. To take them as feedback, say --feedback.`] : [],
    }
  const shown = read.kept.slice(0, shownSigns).map(wordsForKept)
  const more = read.kept.length - shown.length
  return { text: read.content, kept: more > 0 ? [...shown, `and ${more} more signs stayed text`] : shown }
}
const shownSigns = 20
