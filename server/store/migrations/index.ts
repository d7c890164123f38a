import start from './0001-start.ts'

/** In order; a database's `user_version` counts how many of them it has. Once released, one never changes. */
export const migrations: readonly string[] = [start]
