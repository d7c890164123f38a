// A person at a browser: they find things by role and name, as assistive technology does, and use mouse and keyboard.
import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { KeyStep, RemoteBrowser } from './remote-browser.ts'

/** Finding by role and name inside the page, as Testing Library does it. */
const testingLibrary = readFileSync(
  path.resolve(
    import.meta.dirname,
    '../../node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js',
  ),
  'utf8',
)

export interface WantedElement {
  role: string
  /** A part of its accessible name; the whole of it if `exact`. */
  name?: string
  exact?: boolean
  /** A CSS selector of what it stands in. */
  within?: string
}

/** Codes of WebDriver for keys that are no characters: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys: Record<string, string> = {
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  F8: '\uE038',
}

const findAll = `
  const findAll = ({ role, name, exact, within }) => {
    const roots = within ? [...document.querySelectorAll(within)] : [document.body]
    const matches = name === undefined ? undefined : exact ? name : (text) => text.toLowerCase().includes(name.toLowerCase())
    return roots.flatMap((root) =>
      globalThis.TestingLibraryDom.queryAllByRole(root, role, matches === undefined ? {} : { name: matches }))
  }
  `

export class Person {
  readonly #browser: RemoteBrowser

  constructor(browser: RemoteBrowser) {
    this.#browser = browser
  }

  async goTo(url: string): Promise<void> {
    await this.#browser.navigate(url)
  }

  /** Runs a function's body in the page. */
  run<Result>(body: string, ...args: unknown[]): Promise<Result> {
    return this.#browser.run(body, ...args) as Promise<Result>
  }

  screenshot(): Promise<Buffer> {
    return this.#browser.screenshot()
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  async press(chord: string): Promise<void> {
    const parts = chord.split('+').map((part) => keys[part] ?? part)
    const down: KeyStep[] = parts.map((value) => ({ type: 'keyDown', value }))
    const up: KeyStep[] = parts.toReversed().map((value) => ({ type: 'keyUp', value }))
    await this.#browser.perform({ type: 'key', id: 'keyboard', actions: [...down, ...up] })
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((character): KeyStep[] => {
      const value = character === '\n' ? keys.Enter! : character
      return [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]
    })
    await this.#browser.perform({ type: 'key', id: 'keyboard', actions })
  }

  /** How many there are on the page, as assistive technology sees it. */
  async count(wanted: WantedElement): Promise<number> {
    await this.#teach()
    return this.run<number>(`${findAll} return findAll(arguments[0]).length`, wanted)
  }

  async see(wanted: WantedElement): Promise<void> {
    await expect.poll(() => this.count(wanted), { message: JSON.stringify(wanted) }).toBeGreaterThan(0)
  }

  async seeNo(wanted: WantedElement): Promise<void> {
    await expect.poll(() => this.count(wanted), { message: JSON.stringify(wanted) }).toBe(0)
  }

  /** Waits until the page, or a part of it, says something. */
  async read(words: string, within = 'body'): Promise<void> {
    const text = () =>
      this.run<string>(
        'return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText).join("\\n")',
        within,
      )
    await expect.poll(text).toContain(words)
  }

  /** Clicks in the middle of the first one, once it is there and can be clicked. */
  async click(wanted: WantedElement): Promise<void> {
    await this.see(wanted)
    const place = () =>
      this.run<[number, number] | null>(
        `${findAll}
        const one = findAll(arguments[0])[0]
        if (!one || one.disabled) return null
        one.scrollIntoView({ block: 'center', behavior: 'instant' })
        const box = one.getBoundingClientRect()
        const at = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]
        const hit = document.elementFromPoint(...at)
        return hit && (one === hit || one.contains(hit) || hit.contains(one)) ? at : null`,
        wanted,
      )
    // The page may still scroll by itself: what is clicked has stood still before.
    let last: string | undefined
    let at: [number, number] | null = null
    const standsStill = async () => {
      at = await place()
      const before = last
      last = JSON.stringify(at)
      return at !== null && last === before
    }
    await expect.poll(standsStill, { message: `to click ${JSON.stringify(wanted)}` }).toBe(true)
    await this.clickAt(at!)
  }

  async clickAt([x, y]: [number, number]): Promise<void> {
    await this.#browser.perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    })
  }

  /** Drags the mouse over words, which selects them as a reader does; again if they moved meanwhile. */
  async select(words: string, within: string): Promise<void> {
    await expect(async () => {
      // Whoever begins within a selection drags its words away.
      await this.run('getSelection().removeAllRanges()')
      await this.#drag(words, within)
      expect(await this.run<string>('return String(getSelection()).trim()')).toBe(words)
    }).toPass({ timeout: 20_000 })
  }

  async #drag(words: string, within: string): Promise<void> {
    const ends = await this.run<[number, number, number, number] | null>(
      `const [words, within] = arguments
      const walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(words)
        if (at < 0) continue
        node.parentElement.scrollIntoView({ block: 'center', behavior: 'instant' })
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + words.length)
        const boxes = [...range.getClientRects()]
        const first = boxes[0], last = boxes.at(-1)
        return [first.left, first.top + first.height / 2, last.right, last.top + last.height / 2]
      }
      return null`,
      words,
      within,
    )
    if (!ends) throw new Error(`the page doesn’t say “${words}”`)
    const [fromX, fromY, toX, toY] = ends.map(Math.round) as [number, number, number, number]
    await this.#browser.perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x: fromX + 1, y: fromY },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerMove', x: Math.round((fromX + toX) / 2), y: toY },
        { type: 'pointerMove', x: toX, y: toY },
        { type: 'pointerUp', button: 0 },
      ],
    })
  }

  /** Puts text into a field in place of what is there. */
  async fill(wanted: WantedElement, text: string): Promise<void> {
    await this.click(wanted)
    await this.press('Control+a')
    await this.type(text)
  }

  async #teach(): Promise<void> {
    const knows = await this.run<boolean>('return "TestingLibraryDom" in globalThis')
    if (knows) return
    await this.run(`const module = undefined, exports = undefined, define = undefined
      ;(function () { ${testingLibrary} }).call(globalThis)
      return true`)
  }
}
