import { Remembered } from '../ui/remembered.ts'

const kept = (token: string) => new Remembered(`galley.link.${token}`)

/** Remembers which document a link led to, so that its unsent text is found once the link opens nothing. */
export const rememberDocument = (token: string, documentId: string): void =>
  void (kept(token).value = documentId)

export const documentOf = (token: string): string | null => kept(token).value

export const forgetDocument = (token: string): void => void (kept(token).value = null)
