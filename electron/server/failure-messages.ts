import type { ServerFailure } from './server-messages.ts'

export interface FailureMessage {
  title: string
  /** What has happened, and what to do about it. */
  text: string[]
  /** Whether a backup put in the place of what is there would help. */
  canRestore?: boolean
}

/** Says in plain words why Galley can't start, and what helps. */
export function describeFailure({ reason }: ServerFailure, dataFolder: string): FailureMessage {
  switch (reason) {
    case 'in use':
      return {
        title: 'Your documents are open in another Galley',
        text: [
          `Only one Galley at a time can use the documents in ${dataFolder}.`,
          'Look for another window, or for a terminal in which Galley runs. Stop it there, then try again.',
        ],
      }
    case 'damaged':
      return {
        title: 'Your documents can’t be read',
        text: [
          'The file that holds your documents, galley.db, is damaged. Nothing was changed in it.',
          'Restore a backup: the folder “backups” beside it may hold some. The damaged file is kept. Or mend it, then try again.',
        ],
        canRestore: true,
      }
    case 'not galley':
      return {
        title: 'This folder holds something else',
        text: [
          `In ${dataFolder} there is a file galley.db that was not made by Galley. It was left as it is.`,
          'Move that file elsewhere, or start Galley with another data folder, then try again.',
        ],
      }
    case 'newer':
      return {
        title: 'Your documents need a newer Galley',
        text: [
          'They were last used with a newer version than this one. Nothing was changed in them.',
          'Update Galley on this machine, then start it again.',
        ],
      }
    case 'no room':
      return {
        title: 'The disk is full',
        text: [
          `There is no room left where your documents are, in ${dataFolder}. What was saved is safe.`,
          'Free some space on that disk, then try again.',
        ],
      }
    case 'no permission':
      return {
        title: 'Galley may not open your documents',
        text: [
          `This account may not write to ${dataFolder}.`,
          'Check who owns that folder and the files in it, then try again.',
        ],
      }
    case 'port':
      return {
        title: 'Galley’s address on this machine is taken',
        text: [
          'Another program uses the port that Galley needs, or this account may not use it. Your documents are safe.',
          'Stop that program, or start Galley with another port, then try again.',
        ],
      }
    case 'crashed':
      return {
        title: 'Galley keeps stopping',
        text: [
          'The part of Galley that keeps your documents ended unexpectedly. What was saved is safe.',
          'Try again. If this happens each time, restarting the machine may help; the details below tell more.',
        ],
      }
    case 'failed':
      return {
        title: 'Galley could not start',
        text: [
          'The part of Galley that keeps your documents could not start. Your documents were left as they are.',
          'The details below tell more. Try again when you have looked into them.',
        ],
      }
  }
}
