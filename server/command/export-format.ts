import { UsageError } from './command.ts'

export const exportFormats = ['md', 'html'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What `--format` says; markdown where nothing does. */
export function exportFormatOf(word: unknown): ExportFormat {
  const format = word === undefined ? 'md' : exportFormats.find((one) => one === word)
  if (format === undefined) throw new UsageError(`--format is one of ${exportFormats.join(', ')}.`)
  return format
}
