/** How many UTF-16 code units both texts begin with. */
export function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  // Equal stretches are compared by the engine's own string comparison, which is many times faster than a loop.
  for (const step of [4096, 128]) {
    while (at + step <= most && a.slice(at, at + step) === b.slice(at, at + step)) at += step
  }
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

/** How many UTF-16 code units both texts end with, not counting the first `head` ones of either. */
export function commonSuffix(a: string, b: string, head = 0): number {
  const most = Math.min(a.length, b.length) - head
  let n = 0
  for (const step of [4096, 128]) {
    while (
      n + step <= most &&
      a.slice(a.length - n - step, a.length - n) === b.slice(b.length - n - step, b.length - n)
    )
      n += step
  }
  while (n < most && a.charCodeAt(a.length - n - 1) === b.charCodeAt(b.length - n - 1)) n++
  return n
}

/** True when cutting the text at `at` would separate the two halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  )
}

/** How much two texts begin and end with alike, so that no surrogate pair is cut in either. */
export function commonEnds(a: string, b: string): { head: number; tail: number } {
  let head = commonPrefix(a, b)
  if (splitsPair(a, head) || splitsPair(b, head)) head--
  let tail = commonSuffix(a, b, head)
  if (splitsPair(a, a.length - tail) || splitsPair(b, b.length - tail)) tail--
  return { head, tail }
}
