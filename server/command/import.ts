import path from 'node:path'
import { readCriticMarkup } from '../domain/critic-markup/read.ts'
import { tooMuchFeedback, wordsForFeedback, wordsForKept } from '../domain/critic-markup/told.ts'
import { distinctTitles } from '../domain/distinct-titles.ts'
import { readImported } from '../domain/imported-text.ts'
import { UsageError, type CommandDefinition } from './command.ts'
import { batchFiles, ImportBatch, type ReadFile } from './import-batch.ts'
import { tellImported } from './import-report.ts'
import { jsonHelp, jsonOption } from './json.ts'
import { findMarkdownFiles, readMarkdown } from './markdown-files.ts'
import { startProgress } from './progress.ts'

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
      const make = (files: readonly ReadFile[]) =>
        channel.perform(
          user,
          importTexts,
          {},
          files.map(({ title, content, created, updated, files }) => {
            return { title, content, createdAt: created, updatedAt: updated, feedback: withFeedback, files }
          }),
        )
      const batch = new ImportBatch(make, ({ path: file, source }, id) => tracked?.isMade(file, source, id))
      const write = async () => {
        await batch.write()
        tracked?.save()
        await beside.done()
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
          return found ? [{ file, path: within(file), title: found.title, isNoted: found.isNoted }] : []
        })
        const titleOf = titlesOf(heads)
        for (const [index, file] of files.entries()) {
          const title = titleOf.get(file)
          const found = title === undefined ? undefined : read(file)
          if (found && (!tracked || (await tracked.isNew(file, found.content)))) {
            const { content, files, missing } = await beside.take(file, found.content)
            batch.add({
              ...found,
              ...{ content, source: found.content, files, title: title!, pictures: missing },
            })
          }
          if (batch.isFull) await write()
          progress.at(files.length + index + 1, files.length * 2)
        }
        if (!batch.isEmpty) await write()
        await tracked?.tellGone()
        tracked?.save()
      } finally {
        await beside.done()
        progress.end()
      }
      tellImported(terminal, {
        ...{ imported: batch.imported, taken: batch.taken },
        ...{ problems, leftOut, tracked },
        isJson: values['json'] === true,
      })
      return 0
    })
  },
}

interface Head {
  file: string
  /** Where it is within what was named. */
  path: string
  title: string
  /** Whether an export has noted its title, and so told it apart from others already. */
  isNoted: boolean
}

/** What each file’s document is to be called. */
function titlesOf(heads: readonly Head[]): ReadonlyMap<string, string> {
  const [noted, others] = [heads.filter((one) => one.isNoted), heads.filter((one) => !one.isNoted)]
  const titles = distinctTitles(others)
  return new Map([
    ...noted.map(({ file, title }) => [file, title] as const),
    ...others.map(({ file }, index) => [file, titles[index]!] as const),
  ])
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
