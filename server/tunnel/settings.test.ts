import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../store/testing/store.ts'
import { readTunnelChoice, unset, writeTunnelChoice, type TunnelChoice } from './settings.ts'

const file = () => path.join(testFolder(), 'tunnel.json')
const choice: TunnelChoice = {
  on: true,
  provider: 'ssh',
  settings: {
    ...unset.settings,
    ssh: { ...unset.settings.ssh, host: 'server.example.org', user: 'galley', port: 2222 },
  },
  secrets: ['ssh-key'],
  sshPublicKey: 'ssh-ed25519 AAAA galley',
}

test('what was chosen is kept, for this account alone', () => {
  const at = file()
  writeTunnelChoice(at, choice)
  expect(readTunnelChoice(at)).toEqual(choice)
  expect(statSync(at).mode & 0o077).toBe(0)
})

test('without a file, or with a damaged one, everything is off', () => {
  const at = file()
  expect(readTunnelChoice(at)).toEqual(unset)
  for (const damaged of ['', '{', 'null', '[]', '{"on":"yes"}', '{"on":true,"provider":"pigeon"}']) {
    writeFileSync(at, damaged)
    expect(readTunnelChoice(at)).toEqual(unset)
  }
})

test('an address from before there were several ways is still in use', () => {
  const at = file()
  writeFileSync(at, '{"on":true,"provider":"url","publicAddress":"https://galley.example.org"}')
  expect(readTunnelChoice(at)).toEqual({
    ...unset,
    on: true,
    settings: { ...unset.settings, url: { public_address: 'https://galley.example.org' } },
  })
})

test('damaged settings of one kind are like none of that kind, and what is unknown is left out', () => {
  const at = file()
  writeTunnelChoice(at, choice)
  const kept = JSON.parse(readFileSync(at, 'utf8')) as { settings: Record<string, Record<string, unknown>> }
  kept.settings['ssh']!['port'] = 'twenty-two'
  kept.settings['url'] = { public_address: 'https://galley.example.org', later: true }
  writeFileSync(at, JSON.stringify(kept))
  expect(readTunnelChoice(at)).toEqual({
    ...choice,
    settings: { ...unset.settings, url: { public_address: 'https://galley.example.org' } },
  })
})
