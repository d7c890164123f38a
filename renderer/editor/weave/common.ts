/** Letters that two texts have in common, in order: from where in either, and how many. */
export interface Common {
  a: number
  b: number
  length: number
}

/** So many letters are held against others at the most, where that takes long. */
export const mostWork = 400_000

/** As many letters as two texts have in common; where that is too much work, those they begin and end with. */
export function commonLetters(a: string, b: string): Common[] {
  // In one piece rather than letter by letter here and there.
  const [inA, inB] = [a.indexOf(b), b.indexOf(a)]
  if (inA >= 0) return b === '' ? [] : [{ a: inA, b: 0, length: b.length }]
  if (inB >= 0) return a === '' ? [] : [{ a: 0, b: inB, length: a.length }]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const found: Common[] = []
  const add = (one: Common) => {
    const last = found.at(-1)
    if (one.length === 0) return
    if (last && last.a + last.length === one.a && last.b + last.length === one.b) last.length += one.length
    else found.push(one)
  }
  add({ a: 0, b: 0, length: start })
  const [m, n] = [a.length - start - end, b.length - start - end]
  if (m > 0 && n > 0 && m * n <= mostWork) {
    const width = n + 1
    const longest = new Int32Array((m + 1) * width)
    for (let i = m - 1; i >= 0; i--)
      for (let j = n - 1; j >= 0; j--)
        longest[i * width + j] =
          a[start + i] === b[start + j]
            ? longest[(i + 1) * width + j + 1]! + 1
            : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
    for (let [i, j] = [0, 0]; i < m && j < n;)
      if (a[start + i] === b[start + j]) add({ a: start + i++, b: start + j++, length: 1 })
      else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++
      else j++
  }
  add({ a: a.length - end, b: b.length - end, length: end })
  return found
}
