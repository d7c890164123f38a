// The icon files that are committed are what the drawings render to.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowserHere } from '../browser.mjs'
import { icnsKinds, readIcns, readIco, readPngSize, writeIcns, writeIco } from './containers.ts'
import { icnsFile, icnsRenderings, icoFile, icoRenderings, iconPath, linux, tray } from './icons.ts'
import { openRenderer, type Renderer } from './render.ts'

const read = (file: string) => readFileSync(iconPath(file))

test('there is a picture of each size, from 16 to 1024 pixels', () => {
  expect(linux.map(({ size }) => size)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024])
  for (const { file, size } of [...linux, ...tray]) {
    expect(readPngSize(read(file)), file).toEqual({ width: size, height: size })
  }
})

test('the Windows icon holds the pictures that its table says, and writing them again gives the same file', () => {
  const pictures = readIco(read(icoFile))
  expect(pictures.map(({ size }) => size)).toEqual(icoRenderings.map(({ size }) => size))
  for (const { size, png } of pictures) expect(readPngSize(png)).toEqual({ width: size, height: size })
  expect(writeIco(pictures)).toEqual(read(icoFile))
})

test('the macOS icon holds each kind of entry in its size, and writing them again gives the same file', () => {
  const entries = readIcns(read(icnsFile))
  expect(entries.map(({ kind }) => kind).sort()).toEqual(Object.keys(icnsKinds).sort())
  for (const { kind, png } of entries) {
    const size = icnsKinds[kind as keyof typeof icnsKinds]
    expect(readPngSize(png), kind).toEqual({ width: size, height: size })
  }
  expect(writeIcns(entries.map(({ png }) => ({ size: readPngSize(png).width, png })))).toEqual(read(icnsFile))
})

test('what is no icon is refused', () => {
  expect(() => readPngSize(Buffer.alloc(64))).toThrow('not a PNG')
  expect(() => readIco(Buffer.alloc(64))).toThrow('not a Windows icon')
  expect(() => readIcns(read(icnsFile).subarray(0, 5000))).toThrow('not an icon for macOS')
  expect(() => writeIcns([])).toThrow('needs a picture of')
})

const browser = await findBrowserHere()
const skipped = 'problem' in browser ? ` (skipped: ${browser.problem})` : ''

describe.skipIf('problem' in browser)(`rendered anew${skipped}`, () => {
  let renderer: Renderer
  beforeAll(async () => {
    if ('path' in browser) renderer = await openRenderer(browser.path)
  })
  afterAll(() => renderer.close())

  // Another version of Chromium may smooth an edge differently; another drawing differs by far more.
  const same = 0.005

  test('the drawings give the pictures', async () => {
    const fromIco = readIco(read(icoFile))
    const fromIcns = readIcns(read(icnsFile)).map(({ png }) => ({ size: readPngSize(png).width, png }))
    const kept = [
      ...[...linux, ...tray].map(({ file, svg, size }) => ({ name: file, svg, size, png: read(file) })),
      ...icoRenderings.map(({ svg, size }) => ({ name: icoFile, svg, size, png: pick(fromIco, size) })),
      ...icnsRenderings.map(({ svg, size }) => ({ name: icnsFile, svg, size, png: pick(fromIcns, size) })),
    ]
    for (const { name, svg, size, png } of kept) {
      const difference = await renderer.difference(png, await renderer.render(svg, size))
      expect(difference, `${name}, ${size} pixels`).toBeLessThan(same)
    }
  })

  test('another drawing would be noticed', async () => {
    const difference = await renderer.difference(
      await renderer.render('app.svg', 256),
      await renderer.render('mac.svg', 256),
    )
    expect(difference).toBeGreaterThan(same)
  })
})

const pick = (pictures: { size: number; png: Buffer }[], size: number) =>
  pictures.find((picture) => picture.size === size)!.png
