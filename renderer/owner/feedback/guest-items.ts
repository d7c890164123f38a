import { tick } from 'svelte'
import Eye from '@lucide/svelte/icons/eye'
import EyeOff from '@lucide/svelte/icons/eye-off'
import UserPen from '@lucide/svelte/icons/user-pen'
import UserX from '@lucide/svelte/icons/user-x'
import { quoteOf } from '../../feedback/threads.ts'
import type { MenuItem } from '../../ui/menu-item.ts'
import type { Guests } from './guests.svelte.ts'
import type { NamedGuest } from './of-guest.ts'

/** What the owner can do about a guest who said something or reacted to it; nothing where it wasn’t one. */
export const guestItems = (guests: Guests, said: NamedGuest): MenuItem[] =>
  said.guest_id === undefined
    ? []
    : [
        { label: 'Rename this guest…', icon: UserPen, run: () => (guests.renaming = said) },
        said.hidden
          ? { label: 'Show all they say', icon: Eye, run: () => void guests.hide(said, false) }
          : {
              label: 'Hide all they say',
              icon: EyeOff,
              run: () => void leave(() => guests.hide(said, true)),
            },
        {
          label: `Delete all from ${quoteOf(said.author_name, 30)}`,
          icon: UserX,
          danger: true,
          run: () => void leave(() => guests.remove(said)),
        },
      ]

/** The card goes; the keyboard goes on where it can be brought back, or in the text. */
async function leave(how: () => void | Promise<void>): Promise<void> {
  await how()
  await tick()
  // The card may have gone before, and the focus on to what stood nearest.
  if (document.activeElement?.closest('article, input, textarea, [contenteditable]')) return
  const [toggle, text] = ['[data-hidden] input', '.cm-content'].map((one) =>
    document.querySelector<HTMLElement>(one),
  )
  ;(toggle ?? text)?.focus()
}
