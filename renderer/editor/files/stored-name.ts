/** The name of a file of the document's own that an address in markdown means; null for any other address. */
export function storedName(src: string): string | null {
  const name = /^(?:\.\/)?files\/([^/?#\\]+)(?:#\S*)?$/.exec(src)?.[1]
  if (name === undefined) return null
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
