/**
 * Where fonts kern, browsers shape all of the rest of a run anew for each of its lines, which takes the square of its length:
 * seconds for 50,000 brackets. No word is this long.
 */
const longest = 500

const one = String.raw`\uFDD0[^\uFDD1]*\uFDD1|&[#\w]+;|(?!&)[\p{P}\p{S}\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`
const run = new RegExp(`(?:${one})+`, 'gu')
const part = new RegExp(`(?:${one}){${longest}}(?!$)`, 'gu')
const mayHold = new RegExp(`[^\\s<]{${2 * longest}}`)

/** Text in HTML, with its marks of a trace, that has places to break in the longest of its runs. */
export const withBreaksInRuns = (html: string): string =>
  mayHold.test(html)
    ? html.replace(run, (all) => (all.length < 2 * longest ? all : all.replace(part, '$&<wbr>')))
    : html
