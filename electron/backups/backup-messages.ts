// What the desktop's main process and the process that backs up or restores say to each other.
import type { BackedUp, Restoration } from '../../server/index.ts'

export type BackupTask =
  | { type: 'back up'; dataFolder: string; file: string }
  | { type: 'restore'; dataFolder: string; file: string }

export type ToBackup = BackupTask | { type: 'go on' } | { type: 'call off'; why: string }

export type FromBackup =
  | { type: 'progress'; done: number; of: number }
  /** The file is a backup. Nothing is changed until it is told to go on. */
  | { type: 'read' }
  | { type: 'backed up'; backup: BackedUp }
  | { type: 'restored'; restoration: Restoration }
  | { type: 'refused'; message: string }
