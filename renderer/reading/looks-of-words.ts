import { markPairs } from '../editor/stray-marks.ts'

/** What words are in, as the page has it, and the style sheet by the same name. */
export type Look = 'strong' | 'em' | 'del' | 'a' | 'code'

const ofSigns: Record<string, readonly Look[]> = {
  ...{ '**': ['strong'], __: ['strong'], '*': ['em'], _: ['em'], '***': ['strong', 'em'] },
  ...{ '~~': ['del'], '[': ['a'], '`': ['code'] },
}
const code = /(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/g
const underscores = /(?<![\p{L}\p{N}_])(__?)(?=[^\s_]).+?(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu

/** What the words between two places of a source are in, its signs counted with what they are around. */
export function looksAt(source: string, from: number, to = from + 1): Set<Look> {
  const found = [code, underscores].flatMap((signs) =>
    [...source.matchAll(signs)].map(({ index, 0: all, 1: sign }) => ({
      ...{ from: index, to: index + all.length },
      sign: sign!.startsWith('`') ? '`' : sign!,
    })),
  )
  const around = [...markPairs(source), ...found].filter((pair) => pair.from <= from && to <= pair.to)
  return new Set(around.flatMap(({ sign }) => ofSigns[sign] ?? []))
}
