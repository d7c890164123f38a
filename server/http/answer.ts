import { Packed } from './shared-answers.ts'
import type { Context } from './context.ts'
import { bytesOf, charactersIn, isLong, jsonBytes } from './slices.ts'

/** A file instead of the envelope. */
export class FileAnswer {
  readonly type: string
  readonly name: string
  /** Of another kind of file its bytes. */
  readonly text: string | Uint8Array
  /** Whether it would come out the same another time. */
  readonly lasting: boolean
  constructor(type: string, name: string, text: string | Uint8Array, lasting = true) {
    this.type = type
    this.name = name
    this.text = text
    this.lasting = lasting
  }
}

/** An answer that is the same for all who get one of this name: whoever asks while it is being made or sent gets that one. */
export class SharedAnswer<Data> {
  readonly name: string
  readonly make: () => Data | FileAnswer | Promise<Data | FileAnswer>
  /** Where it is kept once it is finished, instead of one of another name; undefined if making it costs little. */
  readonly place: string | undefined
  constructor(name: string, make: () => Data | FileAnswer | Promise<Data | FileAnswer>, place?: string) {
    this.name = name
    this.make = make
    this.place = place
  }
}

export type Shown<Data> = Data | FileAnswer | SharedAnswer<Data> | undefined

export const isLongAnswer = (data: unknown) =>
  data instanceof FileAnswer ? typeof data.text === 'string' && isLong(data.text) : isLong(data)

/** Makes a long answer in slices, and has it sent. What is made for a guest counts as unread from the beginning. */
export async function packLong<Sent>(
  { answers }: Context,
  link: string | undefined,
  data: unknown,
  then: (packed: Packed) => Sent,
): Promise<Sent> {
  const done = link === undefined ? undefined : answers.making(link, charactersIn(data))
  try {
    const packed =
      data instanceof FileAnswer
        ? new Packed(
            headersOfFile(data),
            typeof data.text === 'string' ? await bytesOf(data.text) : bytesAtOnce(data),
            data.lasting,
          )
        : new Packed(jsonHeaders, await jsonBytes(envelope(data)))
    return then(packed)
  } finally {
    done?.()
  }
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }
export const envelope = (data: unknown) => ({ data, error: null })

export function share<Data>(
  context: Context,
  { name, make, place }: SharedAnswer<Data>,
  link: string | undefined,
): Packed | Promise<Packed> {
  const { answers } = context
  const pack = (data: Data | FileAnswer): Packed | Promise<Packed> => {
    if (isLongAnswer(data)) return packLong(context, link, data, (packed) => packed)
    return data instanceof FileAnswer
      ? new Packed(headersOfFile(data), Buffer.from(data.text), data.lasting)
      : new Packed(jsonHeaders, Buffer.from(JSON.stringify(envelope(data))))
  }
  const packed = () => {
    const data = make()
    return data instanceof Promise ? data.then(pack) : pack(data)
  }
  return answers.shared(name, packed, place)
}

export const bytesAtOnce = ({ text }: FileAnswer) =>
  typeof text === 'string' ? Buffer.from(text) : Buffer.from(text)

export function headersOfFile(file: FileAnswer) {
  return {
    'content-type': typeof file.text === 'string' ? `${file.type}; charset=utf-8` : file.type,
    'content-disposition': dispositionOf(file.name),
  }
}

/** Offers a file for download. RFC 6266: a plain name for old clients, the real one in UTF-8. */
export const dispositionOf = (name: string) =>
  `attachment; filename="${name.replace(/[^\w .-]/g, '_')}"; filename*=UTF-8''${encodeName(name)}`
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
