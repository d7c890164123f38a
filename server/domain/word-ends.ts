/**
 * Where words end. A word is a run of letters, digits, marks and apostrophes; each character of the scripts that put
 * no space between words; a run of white space; or any other sign with whatever modifies or joins it, so that an
 * emoji made of several code points stays whole.
 */

const LETTER = 1
const SPACE = 2
const SIGN = 3
const KIND = 3
const MARK = 4
const MODIFIER = 8
const PICTURE = 16
const JOINER = 0x200d

// No longer than that, so that an image as base64 isn't one word, nor a sign with a million accents.
const LONGEST_RUN = 1000
const LONGEST_SIGN = 100

const letter = /[[\p{L}\p{N}\p{M}_'’\u200C\u200D]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]/v
const space = /\s/v
const mark = /\p{M}/v
const modifier = /\p{EMod}/v
const picture = /\p{ExtPict}/v

/** By code point; 0 where it hasn't been asked for yet, for asking the engine takes a hundred times as long. */
const classes = new Uint8Array(0x110000)

function classOf(code: number): number {
  return classes[code] || (classes[code] = classify(String.fromCodePoint(code)))
}

function classify(character: string): number {
  const kind = letter.test(character) ? LETTER : space.test(character) ? SPACE : SIGN
  return (
    kind |
    (mark.test(character) ? MARK : 0) |
    (modifier.test(character) ? MODIFIER : 0) |
    (picture.test(character) ? PICTURE : 0)
  )
}

/** Where the word ends that begins at `from`: at most at `to`. */
export function endOfWord(text: string, from: number, to: number): number {
  // Nearly all words are plain ASCII, and then code units are characters.
  const most = Math.min(to, from + LONGEST_RUN)
  const first = text.charCodeAt(from)
  const kind = first < 128 ? classOf(first) : 0
  let at = from + 1
  let code = 128
  if (kind === LETTER || kind === SPACE) {
    while (at < most && (code = text.charCodeAt(at)) < 128 && classOf(code) === kind) at++
    if (at === most || code < 128) return at
  } else if (kind === SIGN && at < to && text.charCodeAt(at) < 128) return at
  return endOfAnyWord(text, from, to)
}

function endOfAnyWord(text: string, from: number, to: number): number {
  const kind = classOf(text.codePointAt(from)!) & KIND
  let at = after(text, from)
  if (kind === SIGN) {
    for (let more = 0; at < to && more < LONGEST_SIGN; more++) {
      const code = text.codePointAt(at)!
      const joins = code === JOINER && at + 1 < to && classOf(text.codePointAt(at + 1)!) & PICTURE
      if (joins) at++
      else if (!(classOf(code) & (MARK | MODIFIER))) break
      at = after(text, at)
    }
  } else {
    for (let more = 1; at < to && more < LONGEST_RUN; more++) {
      const code = text.codePointAt(at)!
      if ((classOf(code) & KIND) !== kind) break
      at += code > 0xffff ? 2 : 1
    }
  }
  return Math.min(at, to)
}

const after = (text: string, at: number) => at + (text.codePointAt(at)! > 0xffff ? 2 : 1)
