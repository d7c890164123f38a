import start from './0001-start.ts'
import keptAnswers from './0002-kept-answers.ts'

/** In order; a database's `user_version` counts how many of them it has. Once released, one never changes. */
export const migrations: readonly string[] = [start, keptAnswers]
