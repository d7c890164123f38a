// `npm run check`: every package in the lock file is under a licence that Galley may use it under.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findForbidden } from './licences.ts'

const lock = path.resolve(import.meta.dirname, '../package-lock.json')
const forbidden = findForbidden(JSON.parse(readFileSync(lock, 'utf8')) as Parameters<typeof findForbidden>[0])
for (const one of forbidden) console.error(one)
process.exitCode = forbidden.length > 0 ? 1 : 0
