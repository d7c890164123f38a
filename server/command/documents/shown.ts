import { shownName } from '../../domain/shown-name.ts'

/** A title or a name on one line: others wrote it, and it must not move a terminal’s cursor. */
export const onOneLine = (name: string) => shownName(name) || 'Untitled'

/**
 * What others wrote, as a terminal may show it: control characters, which could say anything to it, and what turns the
 * direction of other words, are shown as signs.
 */
export const harmless = (text: string) =>
  text.replace(/\r\n/g, '\n').replace(control, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '�'
  })
// eslint-disable-next-line no-control-regex -- these are meant
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** A moment as lists show it: to the minute, in universal time. */
export const minuteOf = (at: string) => `${at.slice(0, 16).replace('T', ' ')}Z`

export const indented = (text: string, by: string) => text.split('\n').join(`\n${by}`)
