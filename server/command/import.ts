import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { limits } from '../contract/limits.ts'
import { titleFrom } from '../domain/title.ts'
import { CommandError, counted, type Command } from './command.ts'
import { explainReading, findMarkdownFiles } from './markdown-files.ts'
import { startProgress } from './progress.ts'

/** One transaction's worth of files: few commits, and a server beside never waits long for one. */
const batchFiles = 100
const batchCharacters = 4 * 1024 * 1024

export const importDocuments: Command = {
  name: 'import',
  usage: 'PATH… [--user U]',
  summary: 'Make documents of markdown files, and of all markdown in folders.',
  takes: { least: 1, most: Infinity, what: 'the files and folders to import' },
  options: { user: { type: 'string' } },
  help: [
    ['PATH…', 'files, whatever their names; folders, for their .md and .markdown files'],
    ['--user U', 'whose documents, by name or id (the owner)'],
  ],
  async run({ values, positionals, dataFolder, terminal }) {
    const { getUser, withStore } = await import('./store.ts')
    return withStore(dataFolder, async (store) => {
      const user = getUser(store, values['user'])
      const author = { id: user.id, name: user.name, key: 'cli:import' }
      const { files, problems } = findMarkdownFiles(positionals)
      const progress = await startProgress(terminal, 'Importing')
      let imported = 0
      let batch: { title: string; content: string }[] = []
      let characters = 0
      const write = () => {
        store.transaction(() => {
          for (const fields of batch) store.documents.create(user.id, fields, author, 'import')
        })
        imported += batch.length
        batch = []
        characters = 0
        // Now rather than at somebody's first search.
        while (store.search.index(batchFiles));
      }
      try {
        for (const [index, file] of files.entries()) {
          const content = readMarkdown(file)
          if (typeof content === 'object') problems.push({ path: file, ...content })
          else {
            batch.push({ title: titleFrom(content, path.basename(file)), content })
            characters += content.length
          }
          if (batch.length >= batchFiles || characters >= batchCharacters) write()
          progress.at(index + 1, files.length)
        }
        if (batch.length > 0) write()
      } finally {
        progress.end()
      }
      for (const { path: at, why } of problems) terminal.error(`galley: ${at}: ${why}`)
      terminal.out(`Imported ${counted(imported, 'document')}.`)
      if (problems.length > 0) {
        throw new CommandError(
          `${counted(problems.length, 'path')} could not be imported (see above); ${imported === 0 ? 'nothing was' : 'the rest was'}.`,
        )
      }
      return 0
    })
  },
}

/** A file's text exactly as it is, or why it can't be a document. */
function readMarkdown(file: string): string | { why: string } {
  try {
    const tooLarge = (bytes: number) => ({
      why: `larger than 10 MiB (${bytes.toLocaleString('en')} bytes)`,
    })
    const { size } = statSync(file)
    if (size > limits.contentBytes) return tooLarge(size)
    const bytes = readFileSync(file)
    if (bytes.length > limits.contentBytes) return tooLarge(bytes.length)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return { why: 'not UTF-8 text' }
    return { why: explainReading(error) }
  }
}
