import { untrack, type Component } from 'svelte'
import { matches } from '../ui/keys.ts'

export interface Command {
  id: string
  label: string
  group: 'Document' | 'Write' | 'Go to' | 'Appearance' | 'Help'
  run: () => void
  icon?: Component
  /** A shortcut such as `Mod-k` or `n`; one without Ctrl or Command works only while nothing is being typed into. */
  keys?: string
  /** The shortcut belongs to the editor, which listens for it itself. */
  editorOnly?: boolean
  /** Other words it should be found by. */
  words?: string[]
}

/** Everything the app can do right now. Pages add what they can do for as long as they are shown. */
export class Commands {
  all = $state.raw<Command[]>([])
  /** Set while a dialog covers the page, which then has no shortcuts. */
  paused = $state(false)

  /** Returns what takes them away again. */
  add(commands: Command[]): () => void {
    // Whoever adds commands in an effect doesn't mean to follow those of others.
    untrack(
      () => (this.all = [...this.all.filter(({ id }) => !commands.some((c) => c.id === id)), ...commands]),
    )
    return () => untrack(() => (this.all = this.all.filter((command) => !commands.includes(command))))
  }

  run(id: string): void {
    this.all.find((command) => command.id === id)?.run()
  }

  /** Runs the command whose shortcut this is. Returns whether there was one. */
  handle(event: KeyboardEvent): boolean {
    if (this.paused || event.defaultPrevented || event.isComposing) return false
    const typing = isTyping(event.target)
    const found = this.all.find(
      ({ keys, editorOnly }) =>
        keys !== undefined && !editorOnly && matches(event, keys) && (!typing || /Mod-|^F\d/.test(keys)),
    )
    if (!found) return false
    event.preventDefault()
    found.run()
    return true
  }
}

function isTyping(target: EventTarget | null): boolean {
  const { isContentEditable = false, tagName = '' } = (target ?? {}) as Partial<HTMLElement>
  return isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)
}
