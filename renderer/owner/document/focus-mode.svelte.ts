import AlignCenter from '@lucide/svelte/icons/align-vertical-distribute-center'
import Focus from '@lucide/svelte/icons/focus'
import Pilcrow from '@lucide/svelte/icons/pilcrow'
import { shortcuts } from '../../../server/contract/shortcuts.ts'
import type { WritingFocus } from '../../editor/writing-focus.ts'
import type { Command } from '../commands.svelte.ts'
import { Remembered } from '../../ui/remembered.ts'

const kept = new Remembered('galley-focus')

/** Nothing but the text. How it is shown then is remembered in this browser; whether it is, isn't. */
export class FocusMode {
  on = $state(false)
  #how = $state.raw<WritingFocus>(stored())

  /** How the editor is to behave; null while everything is shown. */
  get how(): WritingFocus | null {
    return this.on ? this.#how : null
  }
  get paragraph(): boolean {
    return this.#how.paragraph
  }
  get typewriter(): boolean {
    return this.#how.typewriter
  }

  /** Switches one of its ways on or off; asked for while everything is shown, it is on and shown at once. */
  toggle(way: keyof WritingFocus): void {
    this.#how = { ...this.#how, [way]: !this.on || !this.#how[way] }
    this.on = true
    kept.value = JSON.stringify(this.#how)
  }
}

function stored(): WritingFocus {
  try {
    const found = JSON.parse(kept.value ?? '{}') as Partial<WritingFocus> | null
    return { paragraph: found?.paragraph === true, typewriter: found?.typewriter === true }
  } catch {
    return { paragraph: false, typewriter: false }
  }
}

export const focusWays = {
  paragraph: { label: 'Only this paragraph in full colour', icon: Pilcrow },
  typewriter: { label: 'Keep this line in the middle', icon: AlignCenter },
} as const

export function focusCommands(focus: FocusMode, toggle: () => void): Command[] {
  return [
    {
      id: 'focus',
      group: 'Write',
      label: 'Focus mode',
      keys: shortcuts.focus,
      icon: Focus,
      words: ['zen', 'distraction', 'concentrate', 'full', 'only text'],
      checked: () => focus.on,
      run: toggle,
    },
    ...(['paragraph', 'typewriter'] as const).map((way): Command => ({
      id: `focus-${way}`,
      group: 'Write',
      label: focusWays[way].label,
      icon: focusWays[way].icon,
      words: ['focus', 'dim', 'scroll', way],
      checked: () => focus.on && focus[way],
      run: () => focus.toggle(way),
    })),
  ]
}
