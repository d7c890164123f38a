/**
 * What is measured of any server by which people write together: how soon a key is in the others’ copies, how long many
 * need to be in step, what a change into a long text costs the server, and what a connection takes of its memory.
 */
import { readFileSync } from 'node:fs'
import { prose } from '../prose.ts'

/** One who writes. */
export interface Writer {
  type(at: number, insert: string): void
  /** Whether something is on its way to the server. */
  readonly isDirty: boolean
  readonly length: number
  readonly text: string
  close(): void
}

/** A server, and how to write on it. */
export interface Side {
  /** Makes a text; what it is called there. */
  create(content: string): Promise<string>
  /** `onText` is called with what others have written, once it is in this copy. */
  open(document: string, onText?: (inserted: string) => void): Promise<Writer>
  readonly pid: number
  /** So long an editor waits for the next letter before it sends, in milliseconds. */
  readonly typingPause: number
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
export const quantile = (times: readonly number[], part: number) =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? NaN
export const print = (name: string, ...cells: string[]) =>
  process.stdout.write(`${name.padEnd(58)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
export const ms = (time: number) => `${time.toFixed(1)} ms`

const keysPerSecond = 5

/** A letter that stands nowhere else, and by which it is told when it was typed. */
export const first = 0xe000
const sent: number[] = []
export const nextLetter = () => {
  sent.push(performance.now())
  return String.fromCharCode(first + sent.length - 1)
}
const sinceSent = (letter: string) => performance.now() - sent[letter.charCodeAt(0) - first]!

/** Each types five letters a second for so many seconds, at a pace of their own, each into a paragraph of their own. */
export async function typeTogether(writers: readonly Writer[], seconds: number, letter: () => string) {
  const every = 1_000 / keysPerSecond
  const end = performance.now() + seconds * 1_000
  await Promise.all(
    writers.map(async (writer, i) => {
      await pause((every * i) / writers.length)
      let next = performance.now()
      while (performance.now() <= end) {
        writer.type(placeOf(i), letter())
        next += every
        await pause(Math.max(0, next - performance.now()))
      }
    }),
  )
}
const placeOf = (i: number) => 40 * (i + 1)

export async function waitUntil(isSo: () => boolean): Promise<number> {
  const since = performance.now()
  while (!isSo()) await pause(2)
  return performance.now() - since
}

export async function toOthersCopies(side: Side, seconds: number) {
  const document = await side.create(prose(7, 100 * 1024))
  const latencies: number[] = []
  const writers: Writer[] = []
  for (let i = 0; i < 10; i++)
    writers.push(
      await side.open(document, (inserted) => {
        for (const letter of inserted) if (letter.charCodeAt(0) >= first) latencies.push(sinceSent(letter))
      }),
    )
  await typeTogether(writers, seconds, nextLetter)
  await pause(500)
  for (const writer of writers) writer.close()
  print(
    'a key to others’ copies, 10 writers, 100 KB: p50 / p99 / max',
    ms(quantile(latencies, 0.5)),
    ms(quantile(latencies, 0.99)),
    ms(Math.max(...latencies)),
  )
}

const areOne = ([first, ...others]: readonly Writer[]) =>
  others.every(({ length }) => length === first!.length) && others.every(({ text }) => text === first!.text)

/** 50 who write and 200 who only follow. */
export async function manyInStep(side: Side, seconds: number) {
  const document = await side.create(prose(9, 100 * 1024))
  const all: Writer[] = []
  for (let i = 0; i < 250; i++) all.push(await side.open(document))
  const writers = all.slice(0, 50)
  await pause(1_000)
  await typeTogether(writers, seconds, () => 'a')
  const took = await waitUntil(() => writers.every(({ isDirty }) => !isDirty) && areOne(all))
  print('50 who write and 200 who follow: all in step after the last key', ms(took))
  for (const one of all) one.close()
}

/** `prepare` is given the text, and what it is called, before somebody writes in it. */
export async function intoALongText(
  side: Side,
  prepare: (document: string, text: string) => Promise<void> = async () => {},
) {
  const text = prose(10, 1024 * 1024)
  const document = await side.create(text)
  await prepare(document, text)
  const writer = await side.open(document)
  const cpu = () => {
    const fields = readFileSync(`/proc/${side.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  const times: number[] = []
  const pushOne = async (i: number) => {
    const began = performance.now()
    writer.type(500_000 + i, 'x')
    while (writer.isDirty) await pause(1)
    times.push(performance.now() - began - side.typingPause)
  }
  for (let i = 0; i < 50; i++) await pushOne(i)
  times.length = 0
  const before = cpu()
  for (let i = 0; i < 500; i++) await pushOne(i)
  print(
    'one change into 1 MB: there and back p50, the server’s time',
    ms(quantile(times, 0.5)),
    ms((cpu() - before) / 500),
  )
  writer.close()
}

/** To be asked first of all: what a server has had to hold once it may keep. */
export async function memory(side: Side) {
  const document = await side.create(prose(11, 5 * 1024))
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${side.pid}/status`, 'utf8'))![1])
  await pause(3_000)
  const before = rss()
  const writers: Writer[] = []
  for (let i = 0; i < 500; i++) writers.push(await side.open(document))
  await pause(3_000)
  print('memory for each of 500 connections that follow', `${((rss() - before) / 500).toFixed(0)} KB`)
  for (const writer of writers) writer.close()
}
