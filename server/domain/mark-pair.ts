/** Whether these are the marks before and behind some words. */
export const arePair = (before: string, behind: string) =>
  /^[*_~`]+$/.test(before)
    ? [...before].reverse().join('') === behind
    : before === '[' && /^\]\([^()\s]*\)$/.test(behind)
