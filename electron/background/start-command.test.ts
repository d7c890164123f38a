import { expect, test } from 'vitest'
import { startCommand } from './start-command.ts'

const usual = { execPath: '/opt/Galley/galley', appImage: undefined, appPath: undefined }
const nothing = { server: {} }

test('an installed Galley is started as its program, in the background', () => {
  expect(startCommand({ ...usual, options: nothing })).toEqual(['/opt/Galley/galley', '--background'])
})

test('of an AppImage the file that somebody keeps is started', () => {
  const place = { ...usual, execPath: '/tmp/.mount_x/galley', appImage: '/home/w/Galley.AppImage' }
  expect(startCommand({ ...place, options: nothing })[0]).toBe('/home/w/Galley.AppImage')
})

test('the same Galley is started: from its source, on its folders and ports', () => {
  const options = {
    server: { dataFolder: '/home/w/my notes', port: 0, sharePort: 4799 },
    profile: '/home/w/p',
  }
  expect(startCommand({ ...usual, execPath: '/usr/bin/electron', appPath: '/src/galley', options })).toEqual([
    '/usr/bin/electron',
    '/src/galley',
    '--data=/home/w/my notes',
    '--profile=/home/w/p',
    '--port=0',
    '--share-port=4799',
    '--background',
  ])
})
