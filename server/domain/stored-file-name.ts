import { limits } from '../contract/limits.ts'
import { isReserved, withinBytes } from './file-name.ts'

/** A name as it may stand in a path and a text: without folders, control characters, and what markdown reads as its own. */
export function safeFileName(wanted: string | undefined): string {
  const last = (wanted ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1)!
  const plain = last
    .replace(/[\p{C}<>:"|?*()[\]#%&]/gu, '')
    .replace(/\s+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
  const [stem, ending] = parted(plain)
  // Files are exported by their names, to whatever file system is there.
  const name = withinBytes(cut(stem, limits.fileNameLength - 20)) + cut(ending, 15)
  return name === '' || isReserved(name) ? `file${name && `-${name}`}` : name
}

/** The same with a number where the name is taken. */
export function freeFileName(name: string, isTaken: (name: string) => boolean): string {
  const [stem, ending] = parted(name)
  let free = name
  for (let number = 2; isTaken(free); number++) free = `${stem}-${number}${ending}`
  return free
}

function parted(name: string): [stem: string, ending: string] {
  const at = name.lastIndexOf('.')
  return at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
}

/** Never in the middle of a character. */
const cut = (text: string, most: number) =>
  text
    .slice(0, most)
    .toWellFormed()
    .replace(/\ufffd$/, '')
