import { limits } from '../contract/limits.ts'
import { shownSize } from '../domain/shown-size.ts'
import { CommandError, counted, type Terminal } from './command.ts'
import { onOneLine } from './documents/shown.ts'
import { exitCodes } from './exit-codes.ts'
import type { Imported } from './import-batch.ts'
import type { Tracked } from './import-tracked.ts'
import { asJson } from './json.ts'

interface ImportOutcome {
  imported: readonly Imported[]
  /** How many files came with them. */
  taken: number
  /** What could not be read, and why. */
  problems: readonly { path: string; why: string }[]
  /** Links that lead out of what was imported. */
  leftOut: readonly string[]
  /** Where it is remembered which document each file is. */
  tracked: Tracked | undefined
  isJson: boolean
}

/**
 * Says what came of an import.
 * @throws CommandError where not all of it could be done
 */
export function tellImported(terminal: Terminal, outcome: ImportOutcome) {
  const { imported, taken, problems, leftOut, tracked, isJson } = outcome
  for (const { path: at, why } of problems) terminal.error(`galley: ${at}: ${why}`)
  for (const link of leftOut)
    terminal.error(
      `galley: ${link}: left out, a link that leads out of what was imported. To have it too, name it.`,
    )
  tellLeftOut(imported, terminal)
  for (const { path: file, kept } of imported)
    for (const one of kept) terminal.error(`galley: ${file}: ${one}`)
  for (const { file, why } of tracked?.told ?? []) terminal.error(`galley: ${file}: ${why}`)
  if (isJson) {
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
  requireAll(outcome)
}

/** @throws CommandError */
function requireAll({ imported, problems, tracked }: ImportOutcome) {
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
