// The desktop's program: the command line where it is started with a command, else the app.
import { app } from 'electron'
import { readCommand } from './start/command-line.ts'
import { ownArguments } from './start/own-arguments.ts'

// Electron's program was told which app to run; a packaged one is the program.
const appPath = process.defaultApp ? app.getAppPath() : undefined
const command = readCommand(ownArguments(process.argv, appPath))
// Electron becomes ready only after this module has been evaluated: a command is done before it asks for a display,
// starts a process for graphics or can be taken for a second app.
if (command) await (await import('./start/run-command.ts')).runCommand(command)
else (await import('./app.ts')).runApp(appPath)
