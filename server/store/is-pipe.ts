import { statSync } from 'node:fs'

/** Whether it is a named pipe, or leads to one: opening it waits for somebody at the other end, and nothing is kept in it. */
export const isPipe = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFIFO() === true
