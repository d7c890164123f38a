import type { HistoryEntry } from '../../../server/contract/records/versions.ts'
import { clockTime, dayName } from '../../ui/time.ts'
import type { ShownMoment } from './history-player.svelte.ts'
import type { HistoryPerson } from './people.ts'
import { nameOf } from './person-look.ts'

/** When a moment was, as people say it. */
export function whenWords(at: number, now: number, locale?: string): string {
  const date = new Date(at)
  return `${dayName(date, now, locale)}, ${clockTime(date.toISOString(), locale)}`
}

const whole: Partial<Record<HistoryEntry['kind'], string>> = {
  create: 'began the text',
  import: 'imported the text',
  restore: 'restored an older text',
}

/** Who did what with the text. */
export function whatWords(
  { moment, added, removed, by }: ShownMoment,
  people: readonly HistoryPerson[],
): string {
  const names = by.map((number) => (people[number] ? nameOf(people[number]) : 'Somebody'))
  const who = new Intl.ListFormat('en').format(names)
  const { kind } = moment.entry
  if (by.length === 1 && whole[kind]) return `${who} ${whole[kind]}`
  const what = changeWords(added, removed)
  if (by.length === 1 && kind === 'suggestion') return `${who} suggested what was accepted: ${what}`
  if (by.length === 1 && kind === 'reopening') return `${who} took back what was accepted: ${what}`
  return `${who} ${what}`
}

function changeWords(added: number, removed: number): string {
  const characters = (n: number) => `${n.toLocaleString()} ${n === 1 ? 'character' : 'characters'}`
  if (added > 0 && removed > 0) return `added ${added.toLocaleString()} and removed ${characters(removed)}`
  if (added > 0) return `added ${characters(added)}`
  return removed > 0 ? `removed ${characters(removed)}` : 'changed nothing in the text'
}
