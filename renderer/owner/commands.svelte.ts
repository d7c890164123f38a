import { untrack, type Component } from 'svelte'
import type { CommandState } from '../../server/contract/desktop.ts'
import { matches } from '../ui/keys.ts'

export interface Command {
  id: string
  label: string
  group: 'Document' | 'Write' | 'Go to' | 'Appearance' | 'Help'
  run: () => void
  icon?: Component
  /**
   * A shortcut such as `Mod-k` or `n`. One without Ctrl or Command works only on the bare page: not while something is
   * being typed into, nor while a dialog or a menu is open.
   */
  keys?: string | undefined
  /** Where something is typed, or lies over the page, the shortcut means something of its own. */
  barePage?: boolean
  /** The shortcut belongs to the editor, which listens for it itself. */
  editorOnly?: boolean
  /** Changes the words that are selected in the text. */
  formats?: boolean
  /** For a command that switches something on and off: whether it is on. */
  checked?: () => boolean
  /** Other words it should be found by. */
  words?: string[]
}

/** Everything the app can do right now. Pages add what they can do for as long as they are shown. */
export class Commands {
  all = $state.raw<Command[]>([])
  /** Set while a dialog covers the page, which then has no shortcuts. */
  paused = $state(false)

  /** Whether something lies over the page that keys are meant for, wherever the focus is. */
  get isCovered(): boolean {
    return this.paused || globalThis.document?.querySelector('[role="dialog"], [role="menu"]') != null
  }

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

  /** Runs what was chosen in a menu of the window's, unless another field than the text is being typed into. */
  choose(id: string): void {
    if (this.paused) return
    const focused = document.activeElement
    const elsewhere = isTyping(focused) && focused?.closest('.cm-content') === null
    const found = this.all.find((command) => command.id === id)
    if (found && !(found.formats && elsewhere)) found.run()
  }

  /** What can be chosen now, and what is on: for menus outside the page. */
  get states(): CommandState[] {
    if (this.paused) return []
    return this.all.map(({ id, checked }) => (checked ? { id, checked: checked() } : { id }))
  }

  /** Runs the command whose shortcut this is. Returns whether there was one. */
  handle(event: KeyboardEvent): boolean {
    if (this.paused || event.defaultPrevented || event.isComposing) return false
    const typing = isTyping(event.target) || this.isCovered
    // A letter that is typed is none, which needn’t be asked of each command.
    if (typing && event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey)) return false
    const found = this.all.find(
      ({ keys, editorOnly, barePage }) =>
        keys !== undefined &&
        !editorOnly &&
        matches(event, keys) &&
        (!typing || (!barePage && /Mod-|(^|-)F\d/.test(keys))),
    )
    if (!found) return false
    event.preventDefault()
    found.run()
    return true
  }
}

/** Into what nothing can be typed, keys mean what they mean on the page. */
const pressed = /^(button|checkbox|radio|range|reset|submit)$/

function isTyping(target: EventTarget | null): boolean {
  const { isContentEditable = false, tagName = '', type = '' } = (target ?? {}) as Partial<HTMLInputElement>
  return isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(tagName) && !pressed.test(type))
}
