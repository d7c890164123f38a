import { invalid } from '../contract/errors.ts'
import type { UserRow } from '../store/users.ts'
import { machineAction } from './action.ts'
import { ownUserOnly } from './own-user.ts'

/** Adds somebody who has documents of their own. */
export const addUser = machineAction({
  right: 'account.manage',
  effect: 'writes',
  permit: ownUserOnly('Only the user this machine belongs to may add others.'),
  run({ store }, { name }: { name: string }): UserRow {
    const [other] = store.users.listByName(name)
    if (other) throw invalid(`There is a user called “${name}” already (${other.id}).`)
    return store.users.create(name)
  },
})
