import type { ThirdParty } from '../../../server/contract/licences.ts'

/** What Galley is made with, by name. Throws if the list can't be had. */
export async function loadLicences(): Promise<ThirdParty[]> {
  const response = await fetch('/licences.json')
  if (!response.ok) throw new Error(`the list is not there (${response.status})`)
  return (await response.json()) as ThirdParty[]
}

/** What somebody who helps has to know, on one line each. */
export const inWords = (parts: readonly { name: string; version: string }[]): string =>
  parts.map(({ name, version }) => `${name} ${version}`).join('\n')
