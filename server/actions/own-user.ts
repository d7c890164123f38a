import { forbidden } from '../contract/errors.ts'
import type { AccountTask } from './task.ts'

/** What is the machine's, only the machine's own user may change. */
export const ownUserOnly =
  (refusal: string) =>
  ({ store, principal }: AccountTask) => {
    if (principal.user.id !== store.users.owner().id) throw forbidden(refusal)
  }
