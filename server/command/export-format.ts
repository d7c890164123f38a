import { UsageError } from './command.ts'

export const exportFormats = ['md', 'html', 'docx'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** What can be printed. */
export const textFormats = ['md', 'html'] as const

/** What `--format` says; markdown where nothing does. */
export function exportFormatOf<Format extends string>(
  word: unknown,
  among: readonly Format[],
): Format | 'md' {
  const format = word === undefined ? 'md' : among.find((one) => one === word)
  if (format === undefined) throw new UsageError(`--format is one of ${among.join(', ')}.`)
  return format
}
