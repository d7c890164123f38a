// What a document says, and where, by parsers that Galley has no part in: micromark, which knows the place of every
// token, and for raw HTML the tokenizer of parse5.
import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { parse, postprocess, preprocess } from 'micromark'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { Tokenizer, type Token as HtmlToken } from 'parse5'
import { signs, type Sign } from './signs.ts'

type Events = ReturnType<typeof postprocess>
type Token = Events[number][1]

/** One character that shows (in UTF-16 units, and never white space), or a sign for what is drawn as a whole. */
export interface ReadCharacter {
  shown: string
  /** All that is written for it: of an escape and an entity more than one character. */
  start: number
  end: number
  /** What it stands in: the characters of one node have the same number. */
  node: number
}

/** The characters of a document in the order in which they show: notes come last, in the order they are referred to. */
export function readIndependently(source: string): ReadCharacter[] {
  return new Reading(source).read()
}

const white = /\s/
/** What is written here shows nothing. */
const silent = new Set([
  'definition',
  'resource',
  'reference',
  'codeFencedFence',
  'mathFlowFence',
  'taskListCheck',
  'tableDelimiterRow',
  'gfmFootnoteDefinitionLabel',
])
/** What is written here shows as it is written. */
const verbatim = new Set([
  'data',
  'codeTextData',
  'codeFlowValue',
  'autolinkProtocol',
  'autolinkEmail',
  'literalAutolinkHttp',
  'literalAutolinkWww',
  'literalAutolinkEmail',
])

class Reading {
  readonly #source: string
  /** How much the parser passes over before it begins to count. */
  readonly #skipped: number
  readonly #main: ReadCharacter[] = []
  readonly #notes = new Map<string, { characters: ReadCharacter[]; calls: string[] }>()
  readonly #calls: string[] = []
  /** Where characters and references to notes go: into the text or into a note. */
  #out = this.#main
  #called = this.#calls
  #node = 0

  constructor(source: string) {
    this.#skipped = source.startsWith('\uFEFF') ? 1 : 0
    // It counts these as one character too, but shows them otherwise.
    this.#source = source.toWellFormed().replaceAll('\0', '\uFFFD')
  }

  read(): ReadCharacter[] {
    const chunks = preprocess()(this.#source, undefined, true)
    const document = parse({ extensions: [gfm(), math()] }).document()
    this.#readEvents(postprocess(document.write(chunks)))
    const all = [...this.#main]
    const told = new Set<string>()
    // Notes may refer to notes: the list grows as it is read.
    const wanted = [...this.#calls]
    for (const label of wanted) {
      const note = this.#notes.get(label)
      if (!note || told.has(label)) continue
      told.add(label)
      for (const character of note.characters) all.push(character)
      wanted.push(...note.calls)
    }
    return all
  }

  #readEvents(events: Events): void {
    let inTable = 0
    for (let i = 0; i < events.length; i++) {
      const [kind, token] = events[i]!
      const type: string = token.type
      const past = () => {
        while (!(events[i]![0] === 'exit' && events[i]![1] === token)) i++
      }
      if (type === 'table') inTable += kind === 'enter' ? 1 : -1
      if (token.type === 'gfmFootnoteDefinition') {
        if (kind === 'enter') this.#beginNote(events, i)
        else [this.#out, this.#called] = [this.#main, this.#calls]
      }
      if (kind === 'exit') continue
      const from = i
      if (silent.has(token.type)) past()
      else if (verbatim.has(token.type)) {
        this.#node++
        if (inTable > 0 && token.type === 'codeTextData') this.#codeInCell(token)
        else this.#verbatim(this.#startOf(token), this.#endOf(token))
        past()
      } else if (token.type === 'characterReference') {
        this.#whole(token, decode(this.#textOf(token)))
        past()
      } else if (token.type === 'characterEscape') {
        this.#whole(token, this.#textOf(token).slice(1))
        past()
      } else if (token.type === 'image') {
        past()
        // The page has those images that the text itself holds; they say nothing.
        if (!/^\]\(\s*<?data:image/i.test(this.#textOf(token).slice(labelLength(events, from))))
          this.#sign(token, 'image')
      } else if (token.type === 'mathText' || token.type === 'mathFlow') {
        this.#sign(token, 'maths')
        past()
      } else if (token.type === 'codeFenced' && isMaths(events, i, (inner) => this.#textOf(inner))) {
        past()
        this.#fencedMaths(events.slice(from, i))
      } else if (token.type === 'gfmFootnoteCall') {
        this.#sign(token, 'note')
        this.#called.push(fold(this.#textOf(token).slice(2, -1)))
        past()
      } else if (token.type === 'htmlText' || token.type === 'htmlFlow') {
        past()
        this.#html(events.slice(from, i))
      }
    }
  }

  #beginNote(events: Events, at: number): void {
    const label = events.slice(at).find(([, { type }]) => type === 'gfmFootnoteDefinitionLabelString')![1]
    const note = { characters: [], calls: [] }
    const name = fold(this.#textOf(label))
    if (!this.#notes.has(name)) this.#notes.set(name, note)
    ;[this.#out, this.#called] = [note.characters, note.calls]
  }

  #startOf(token: Token): number {
    return token.start.offset + this.#skipped
  }

  #endOf(token: Token): number {
    return token.end.offset + this.#skipped
  }

  #textOf(token: Token): string {
    return this.#source.slice(this.#startOf(token), this.#endOf(token))
  }

  #show(shown: string, start: number, end: number): void {
    if (!white.test(shown)) this.#out.push({ shown, start, end, node: this.#node })
  }

  #verbatim(from: number, to: number): void {
    for (const { 0: character, index } of this.#source.slice(from, to).matchAll(/[^]/gu)) {
      for (const unit of character.split('')) this.#show(unit, from + index, from + index + character.length)
    }
  }

  /** In a cell, code too may only hold a `|` behind a backslash. */
  #codeInCell(token: Token): void {
    let from = this.#startOf(token)
    for (const { index } of this.#textOf(token).matchAll(/\\\|/g)) {
      const at = this.#startOf(token) + index
      this.#verbatim(from, at)
      this.#show('|', at, at + 2)
      from = at + 2
    }
    this.#verbatim(from, this.#endOf(token))
  }

  #whole(token: Token, shown: string): void {
    this.#node++
    for (const unit of shown.split('')) this.#show(unit, this.#startOf(token), this.#endOf(token))
  }

  #sign(token: Token, sign: Sign): void {
    this.#whole(token, signs[sign])
  }

  #fencedMaths(events: Events): void {
    const lines = events.filter(([kind, { type }]) => kind === 'enter' && type === 'codeFlowValue')
    const [first, last] = [lines[0]?.[1], lines.at(-1)?.[1]]
    this.#node++
    if (!first || !last) return
    const text = this.#source.slice(this.#startOf(first), this.#endOf(last))
    const end = this.#startOf(first) + text.trimEnd().length
    this.#show(signs.maths, end - text.trim().length, end)
  }

  /** Raw HTML as browsers read it: what stands between its tags, and its images. */
  #html(events: Events): void {
    let text = ''
    const places: number[] = []
    for (const [kind, token] of events) {
      if (kind !== 'enter' || !/^(?:htmlFlowData|htmlTextData|lineEnding)$/.test(token.type)) continue
      // The signs of quotes and lists that begin the next line are said to be a part of a line's end.
      const end = token.type === 'lineEnding' ? this.#startOf(token) + 1 : this.#endOf(token)
      for (let at = this.#startOf(token); at < end; at++) {
        text += this.#source[at]
        places.push(at)
      }
    }
    let opaque: string | null = null
    /** How far the text between tags is read. */
    let read = 0
    const show = (shown: string, from: number, to: number) =>
      this.#show(shown, places[from]!, places[to - 1]! + 1)
    const readTo = ({ location }: { location: HtmlToken.Location | null }) => {
      const { startOffset, endOffset } = location!
      this.#node++
      if (opaque === null)
        for (const { 0: piece, index } of text.slice(read, startOffset).matchAll(pieces)) {
          const [from, to] = [read + index, read + index + piece.length]
          const units = piece.length > 2 ? decode(piece) : piece
          for (const [i, unit] of units.split('').entries())
            if (units !== piece || piece.length === 2) show(unit, from, to)
            else show(unit, from + i, from + i + 1)
        }
      this.#node++
      read = Math.min(text.length, endOffset)
      return { from: startOffset, to: read }
    }
    const tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onComment: readTo,
        onDoctype: readTo,
        onEof: readTo,
        onStartTag: (tag) => {
          const { from, to } = readTo(tag)
          if (opaque !== null) return
          if (unseen.has(tag.tagName) && text.toLowerCase().includes(`</${tag.tagName}`, to))
            opaque = tag.tagName
          else if (tag.tagName === 'img' && !isDataImage(tag)) show(signs.image, from, to)
        },
        onEndTag: (tag) => {
          readTo(tag)
          if (tag.tagName === opaque) opaque = null
        },
        onCharacter: () => {},
        onNullCharacter: () => {},
        onWhitespaceCharacter: () => {},
      },
    )
    tokenizer.write(text, true)
  }
}

/** Elements of which browsers, or the allow-list, show none of the text. */
const unseen = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'iframe',
  'noscript',
  'svg',
  'select',
  'video',
  'audio',
])

const isDataImage = ({ attrs }: HtmlToken.TagToken) =>
  attrs.some(({ name, value }) => name === 'src' && /^\s*data:image/i.test(value))

/** A character between tags, or a reference to one. */
const pieces = /&(?:#[xX][\da-fA-F]+|#\d+|[A-Za-z][A-Za-z\d]*);|[^]/gu

const fold = (label: string) => label.toLowerCase().toUpperCase()

/** How long the label of an image is without its last bracket. */
function labelLength(events: Events, at: number): number {
  const image = events[at]![1]
  const label = events.slice(at).find(([kind, { type }]) => kind === 'enter' && type === 'label')![1]
  return label.end.offset - image.start.offset - 1
}

function isMaths(events: Events, at: number, textOf: (token: Token) => string): boolean {
  for (const [kind, token] of events.slice(at, at + 12)) {
    if (kind === 'enter' && token.type === 'codeFencedFenceInfo') return textOf(token) === 'math'
    if (kind === 'exit' && token.type === 'codeFencedFence') return false
  }
  return false
}

/** The characters that a reference stands for. */
function decode(reference: string): string {
  const name = reference.slice(1, -1)
  if (name[0] !== '#') return decodeNamedCharacterReference(name) || reference
  const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
}
