import { randomBytes } from 'node:crypto'
import { realPng } from '../../real-png.ts'
import { measure, median, type Measured } from '../load.ts'

/** Where one of the two takes files, and serves them. */
export interface Side {
  upload: (name: string) => string
  served: (name: string) => string
  headers: Record<string, string>
}

const picture = realPng(40, 30)
/** A picture of that many bytes, of which no two are alike. */
export const pictureOf = (bytes: number): Buffer =>
  Buffer.concat([picture, randomBytes(bytes - picture.length)])

export async function send({ upload, headers }: Side, name: string, body: Buffer): Promise<number> {
  const started = performance.now()
  const response = await fetch(upload(name), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'image/png' },
    body: new Uint8Array(body),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${upload(name)}: ${response.status}`)
  return performance.now() - started
}

/** Milliseconds for one file after the other, in turns. */
export async function timeUploads(sides: readonly Side[], bytes: number, count: number): Promise<number[][]> {
  const times: number[][] = sides.map(() => [])
  for (let n = 0; n < count; n++)
    for (const [i, side] of sides.entries())
      times[i]!.push(await send(side, `upload-${bytes}-${n}.png`, pictureOf(bytes)))
  return times
}

/** Requests per second for one file, in turns; with `etag`, of a browser that has it already. */
export async function serve(
  sides: readonly Side[],
  name: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured[]> {
  const measured: Measured[][] = sides.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, { served, headers }] of sides.entries())
      measured[i]!.push(await measure({ url: served(name), headers }, 10, seconds))
  return measured.map(median)
}
