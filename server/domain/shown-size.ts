const kibibyte = 1024
const mebibyte = 1024 ** 2

/** So many bytes as people read them, such as “10 MB”: counted as the limits are. */
export function shownSize(bytes: number): string {
  if (Math.round(bytes / kibibyte) < 1024) return `${Math.max(1, Math.round(bytes / kibibyte))} KB`
  return `${Number((bytes / mebibyte).toFixed(1))} MB`
}

/** What is said of a file that is larger than one may be. */
export const largerThan = (most: number): string =>
  `This file is larger than ${shownSize(most)}, the most that can be added here.`
