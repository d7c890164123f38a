import { isOpenWriter } from '../../drafts.ts'
import type { WaitingFile } from './waiting-file.ts'

/** Those that no other open window has before it. */
export async function notHeld(all: readonly WaitingFile[], own?: string): Promise<WaitingFile[]> {
  const others = new Set(all.map(({ writer }) => writer).filter((writer) => writer !== own))
  const open = await openAmong([...others])
  return all.filter(({ writer }) => !open.has(writer))
}

async function openAmong(writers: readonly string[]): Promise<Set<string>> {
  if (writers.length === 0) return new Set()
  if (!hasLocks()) return askAround(writers)
  const areOpen = await Promise.all(writers.map(isOpenWriter))
  return new Set(writers.filter((_writer, i) => areOpen[i]))
}

// Only pages that came over a secure connection have locks. Elsewhere windows ask each other.
const hasLocks = () => Boolean(globalThis.navigator?.locks)
const channelName = 'galley-files'
interface WindowMessage {
  kind: 'ask' | 'open'
  writer: string
}

/** Answers other windows, where they have to ask, that this one is open. Returns what stops that. */
export function answerAs(writer: string): () => void {
  if (hasLocks()) return () => {}
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<WindowMessage>) => {
    if (data.kind === 'ask' && data.writer === writer) channel.postMessage({ kind: 'open', writer })
  }
  return () => channel.close()
}

/** So long open windows have to answer, in ms. */
const patience = 500

function askAround(writers: readonly string[]): Promise<Set<string>> {
  const channel = new BroadcastChannel(channelName)
  const open = new Set<string>()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      channel.close()
      resolve(open)
    }
    const timer = setTimeout(end, patience)
    channel.onmessage = ({ data }: MessageEvent<WindowMessage>) => {
      if (data.kind === 'open' && writers.includes(data.writer)) open.add(data.writer)
      if (open.size === writers.length) end()
    }
    for (const writer of writers) channel.postMessage({ kind: 'ask', writer })
  })
}
