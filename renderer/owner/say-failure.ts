import { ApiError } from '../api/client.ts'
import { toast } from '../ui/toast.ts'

/** Says in a toast why something failed. */
export function sayFailure(what: string, error: unknown): void {
  toast.error(what, { description: error instanceof ApiError ? error.message : 'Something went wrong.' })
}
