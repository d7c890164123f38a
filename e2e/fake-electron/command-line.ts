import path from 'node:path'

/** What Electron reads from its command line: the app, the files to require first, and whether to be inspected. */
export function readCommandLine(args: string[]) {
  const required: string[] = []
  let target: string | undefined
  let inspect = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (target !== undefined) continue
    if (arg === '-r') required.push(args[++at]!)
    else if (arg.startsWith('--inspect')) inspect = true
    else if (!arg.startsWith('-')) target = path.resolve(arg)
  }
  return { required, target: target ?? path.resolve('.'), inspect }
}
