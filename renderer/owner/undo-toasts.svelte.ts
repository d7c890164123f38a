import Undo from '@lucide/svelte/icons/undo-2'
import { toast } from '../ui/toast.ts'
import type { Command } from './commands.svelte.ts'

interface Undoable {
  description?: string
  duration: number
  /** Of a toast that takes the place of the one that has it. */
  id?: string
  kind?: 'success' | 'info'
  undo: () => void
}

/** What toasts offer to take back: as long as one of them is there, undo does so too, the last first. */
class UndoToasts {
  #shown = $state.raw<readonly (Undoable & { id: string; what: string })[]>([])
  #count = 0

  get last(): { what: string } | undefined {
    return this.#shown.at(-1)
  }

  /** Says what was done, and offers to take it back. */
  show(what: string, { id = `undo-${++this.#count}`, ...rest }: Undoable): void {
    const { description, duration, kind, undo } = rest
    const gone = () => this.#forget(id)
    this.#shown = [...this.#shown.filter((one) => one.id !== id), { ...rest, id, what }]
    const say = kind ? toast[kind] : toast
    say(what, {
      id,
      ...(description === undefined ? {} : { description }),
      duration,
      onDismiss: gone,
      onAutoClose: gone,
      action: {
        label: 'Undo',
        onClick: () => {
          gone()
          undo()
        },
      },
    })
  }

  /** Says more of what was done last, beside its Undo, rather than over it; false where nothing can be taken back. */
  explainLast(description: string, duration: number): boolean {
    const last = this.#shown.at(-1)
    if (last) this.show(last.what, { ...last, description, duration })
    return last !== undefined
  }

  undoLast(): void {
    const last = this.#shown.at(-1)
    if (!last) return
    this.withdraw(last.id)
    last.undo()
  }

  /** It can’t be taken back any more. */
  withdraw(id: string): void {
    this.#forget(id)
    toast.dismiss(id)
  }

  #forget(id: string): void {
    this.#shown = this.#shown.filter((one) => one.id !== id)
  }
}

export const undoToasts = new UndoToasts()

export const undoWhatWasSaid: Command = {
  id: 'undo-last',
  group: 'Document',
  get label() {
    return `Undo: ${undoToasts.last?.what ?? ''}`
  },
  keys: 'Mod-z',
  barePage: true,
  icon: Undo,
  words: ['restore', 'back'],
  run: () => undoToasts.undoLast(),
}
