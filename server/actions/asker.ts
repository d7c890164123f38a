import type { Principal } from './principal.ts'

/** Somebody who asks, as far as a channel knows them. Who they are is asked again before anything is done. */
export interface Asker {
  /** @throws Refused if what they present is no credential, or isn't any more */
  principal(): Principal
  /** Where they ask from: what fails, or is asked too often, is counted by that. */
  address(): string
  /** How many bytes they bring; undefined if they don't say. */
  size(): number | undefined
}

/** What names the very record an action is about, as a path of the interface does. */
export type Target = Readonly<Record<string, string | undefined>>
