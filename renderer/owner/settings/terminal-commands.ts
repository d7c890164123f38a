import SquareTerminal from '@lucide/svelte/icons/square-terminal'
import type { DesktopSettings } from '../../../server/contract/desktop.ts'
import { toast } from '../../ui/toast.ts'
import type { Command } from '../commands.svelte.ts'
import { sayFailure } from '../say-failure.ts'
import { terminalCommandWords } from './desktop-messages.ts'

/** What puts the command `galley` where terminals find it, and takes it away; none where the package has done that. */
export async function terminalCommands(settings: DesktopSettings): Promise<Command[]> {
  const { command } = await settings.find()
  if (!command) return []
  const face = { group: 'Help', icon: SquareTerminal, words: ['shell', 'path', 'terminal', 'cli'] } as const
  const install = { id: 'install-command', label: 'Install the galley command' }
  const remove = { id: 'remove-command', label: 'Remove the galley command' }
  return [
    { ...face, ...install, words: [...face.words], run: () => void setCommand(settings, true) },
    { ...face, ...remove, words: [...face.words, 'uninstall'], run: () => void setCommand(settings, false) },
  ]
}

async function setCommand(settings: DesktopSettings, wanted: boolean): Promise<void> {
  try {
    const { state, problem } = await settings.change({ command: wanted })
    if (!state.command) return
    const description = problem ?? terminalCommandWords(state.command)
    const isDone = (state.command.state === 'there') === wanted
    if (problem !== null || (!isDone && state.command.state === 'taken'))
      toast.error(wanted ? 'The command isn’t installed' : 'The command isn’t removed', { description })
    // Who was asked for a password and declined knows that nothing was done.
    else if (isDone && wanted)
      toast.success('The galley command is installed', { description, duration: 12_000 })
    else if (isDone) toast.success('The galley command is removed')
  } catch (error) {
    sayFailure('The command wasn’t changed', error)
  }
}
