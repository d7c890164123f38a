// What only macOS’s administrators may do, after the system has asked for a password.
import { execFile } from 'node:child_process'
import path from 'node:path'

/** A word for a shell, which finds nothing in it that means anything. */
export const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`

interface LinkChange {
  link: string
  /** What the link leads to now; undefined where there is none. Anything else that stands there then is left alone. */
  before: string | undefined
  /** What it is to lead to; undefined takes it away. */
  target: string | undefined
}

/** A shell’s script that changes the link, and ends with 7 where something else has come there meanwhile. */
export function linkScript({ link, before, target }: LinkChange): string {
  const at = quoted(link)
  const isAsBefore =
    before === undefined
      ? `[ ! -e ${at} ] && [ ! -L ${at} ]`
      : `[ -L ${at} ] && [ "$(readlink ${at})" = ${quoted(before)} ]`
  return [
    `{ ${isAsBefore}; } || exit 7`,
    ...(before === undefined ? [] : [`rm ${at} || exit 1`]),
    ...(target === undefined
      ? []
      : [
          `mkdir -p ${quoted(path.posix.dirname(link))} || exit 1`,
          `ln -s ${quoted(target)} ${at} || exit 1`,
        ]),
  ].join('\n')
}

// The script and the words come as arguments, so nothing of them is AppleScript.
const ask = [
  'on run argv',
  'do shell script (item 1 of argv) with prompt (item 2 of argv) with administrator privileges',
  'end run',
]

/**
 * Has the system ask for an administrator, and run a shell’s script as that. Whether it ran; false where nobody agreed.
 * @throws where it failed
 */
export function runAsAdministrator(
  script: string,
  prompt: string,
  program = '/usr/bin/osascript',
): Promise<boolean> {
  const args = [...ask.flatMap((line) => ['-e', line]), script, prompt]
  return new Promise((resolve, reject) => {
    execFile(program, args, (error, _stdout, stderr) => {
      if (!error) return resolve(true)
      // “User canceled.” is told in the system’s language.
      if (stderr.includes('(-128)')) return resolve(false)
      const why = stderr.trim().replace(/^.*execution error: /, '')
      reject(
        new Error(
          why.includes('(7)') ? 'Something else has come there meanwhile; it was left as it is.' : why,
        ),
      )
    })
  })
}
