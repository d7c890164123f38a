import { forbidden } from '../contract/errors.ts'
import type { AccountTask } from './task.ts'

/** Whether somebody is the user this machine belongs to. */
export const isOwnUser = ({ store, principal }: Pick<AccountTask, 'store' | 'principal'>): boolean =>
  principal.user.id === store.users.owner().id

/** What is the machine's, only the machine's own user may change. */
export const ownUserOnly = (refusal: string) => (task: AccountTask) => {
  if (!isOwnUser(task)) throw forbidden(refusal)
}
