import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { explainInstallFailure, needsInstall } from './install.mjs'

let root: string
const lock = () => path.join(root, 'package-lock.json')
const installed = () => path.join(root, 'node_modules', '.package-lock.json')

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'galley-install-'))
  writeFileSync(lock(), '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a fresh clone needs an install', () => {
  expect(needsInstall(root)).toBe(true)
})

test('an install that was cut short is done again', () => {
  mkdirSync(path.join(root, 'node_modules', 'fastify'), { recursive: true })
  expect(needsInstall(root)).toBe(true)
})

test('an install is done again only when the lock file is newer', () => {
  mkdirSync(path.dirname(installed()))
  writeFileSync(installed(), '{}')
  utimesSync(lock(), 1000, 1000)
  utimesSync(installed(), 1001, 1001)
  expect(needsInstall(root)).toBe(false)
  utimesSync(lock(), 1002, 1002)
  expect(needsInstall(root)).toBe(true)
})

test.each([
  ['npm error code EAI_AGAIN\nnpm error request to https://registry/ failed', /network/],
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EACCES', /may not be written/],
  ['npm error code EINTEGRITY', /damaged/],
  ['npm error code EUSAGE', /disagree/],
  ['npm error something new', /could not install/],
])('npm’s %j is put into words', (output, words) => {
  expect(explainInstallFailure(output)).toMatch(words)
})
