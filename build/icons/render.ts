// `node build/run.mjs build/icons/render.ts`: draws the icon files from the drawings, with Chromium.
import { chromium } from '@playwright/test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBrowserHere } from '../browser.mjs'
import { writeIcns, writeIco } from './containers.ts'
import { icnsFile, icnsRenderings, icoFile, icoRenderings, iconPath, linux, tray } from './icons.ts'

export interface Renderer {
  /** The drawing as a PNG, so many pixels wide and high. */
  render: (svg: string, size: number) => Promise<Buffer>
  /** How much two PNGs of one size differ: 0 not at all, 1 black from white. */
  difference: (one: Buffer, other: Buffer) => Promise<number>
  close: () => Promise<void>
}

/** Starts the browser at `executablePath` to draw with. */
export async function openRenderer(executablePath: string): Promise<Renderer> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
  })
  const page = await browser.newPage({ deviceScaleFactor: 1 })
  return {
    async render(svg, size) {
      await page.setViewportSize({ width: size, height: size })
      const drawing = readFileSync(iconPath(svg), 'utf8').replace(
        '<svg ',
        `<svg width="${size}" height="${size}" `,
      )
      await page.setContent(`<style>html,body{margin:0}svg{display:block}</style>${drawing}`)
      return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } })
    },
    async difference(one, other) {
      const sources = [one, other].map((png) => `data:image/png;base64,${png.toString('base64')}`)
      return page.evaluate(async (urls) => {
        const [a, b] = await Promise.all(
          urls.map(async (url) => {
            const image = new Image()
            image.src = url
            await image.decode()
            const canvas = new OffscreenCanvas(image.width, image.height)
            const context = canvas.getContext('2d')!
            context.drawImage(image, 0, 0)
            return context.getImageData(0, 0, image.width, image.height).data
          }),
        )
        if (a!.length !== b!.length) return 1
        return a!.reduce((sum, value, index) => sum + Math.abs(value - b![index]!), 0) / a!.length / 255
      }, sources)
    },
    close: () => browser.close(),
  }
}

async function renderAll(renderer: Renderer) {
  for (const { file, svg, size } of [...linux, ...tray]) {
    mkdirSync(path.dirname(iconPath(file)), { recursive: true })
    writeFileSync(iconPath(file), await renderer.render(svg, size))
  }
  const pictures = async (renderings: { svg: string; size: number }[]) => {
    const drawn = []
    for (const { svg, size } of renderings) drawn.push({ size, png: await renderer.render(svg, size) })
    return drawn
  }
  writeFileSync(iconPath(icoFile), writeIco(await pictures(icoRenderings)))
  writeFileSync(iconPath(icnsFile), writeIcns(await pictures(icnsRenderings)))
}

if (import.meta.main) {
  const found = await findBrowserHere()
  if ('problem' in found) throw new Error(found.problem)
  const renderer = await openRenderer(found.path)
  await renderAll(renderer)
  await renderer.close()
}
