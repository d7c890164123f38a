import { parentPort, workerData } from 'node:worker_threads'
import { wordDocument } from './word-document.ts'
import type { WordInput } from './word-input.ts'

// It makes one file, and ends.
parentPort!.postMessage(await wordDocument(workerData as WordInput))
