import { tick } from 'svelte'
import Eye from '@lucide/svelte/icons/eye'
import EyeOff from '@lucide/svelte/icons/eye-off'
import UserPen from '@lucide/svelte/icons/user-pen'
import type { Comment } from '../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import type { MenuItem } from '../../ui/menu-item.ts'
import type { Guests } from './guests.svelte.ts'

/** What the owner can do about the guest who said something; nothing where none did. */
export const guestItems = (guests: Guests, said: Comment | Suggestion): MenuItem[] =>
  said.guest_id === undefined
    ? []
    : [
        { label: 'Rename this guest…', icon: UserPen, run: () => (guests.renaming = said) },
        said.hidden
          ? { label: 'Show all they say', icon: Eye, run: () => void guests.hide(said, false) }
          : { label: 'Hide all they say', icon: EyeOff, run: () => void hide(guests, said) },
      ]

/** The card goes; the keyboard goes on where it can be brought back, or in the text. */
async function hide(guests: Guests, said: Comment | Suggestion): Promise<void> {
  await guests.hide(said, true)
  await tick()
  // The card may have gone before, and the focus on to what stood nearest.
  if (document.activeElement?.closest('article, input, textarea, [contenteditable]')) return
  const [toggle, text] = ['[data-hidden] input', '.cm-content'].map((one) =>
    document.querySelector<HTMLElement>(one),
  )
  ;(toggle ?? text)?.focus()
}
