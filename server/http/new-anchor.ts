import type { Anchor, NewAnchor } from '../contract/records.ts'

/** The anchor a body asks for, whole; null where it asks for none. */
export function anchorOf(anchor: NewAnchor | null | undefined): Anchor | null {
  if (!anchor) return null
  const { exact, prefix = '', suffix = '', start } = anchor
  return { exact, prefix, suffix, start }
}
