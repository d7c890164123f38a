// Put into pages as text, so it uses nothing from around it.
// Runs in each main frame before its own scripts, twice: in the page's world, and in the isolated world of the preload.
// Values cross between the two in events on the document, whose details Chromium copies; functions and promises cross
// as numbers under which the other side calls back.
/**
 * @param {{ side: 'page' | 'preload', key: string, platform: string }} world
 * @param {Function} preload the preload's text, as a function
 */
export function installWorld(world, preload) {
  if (window !== window.top) return
  const { key, side } = world
  const other = side === 'page' ? 'preload' : 'page'

  const functions = new Map()
  const numbers = new WeakMap()
  const promises = new Map()
  let last = 0
  let answer

  const isPlain = (value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value)
  const each = (value, change) =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))

  function pack(value) {
    if (typeof value === 'function') {
      if (!numbers.has(value)) {
        numbers.set(value, ++last)
        functions.set(last, value)
      }
      return { [`${key}function`]: numbers.get(value) }
    }
    if (typeof value?.then === 'function') {
      const number = ++last
      value.then(
        (result) => tell('settle', { number, result: pack(result) }),
        (error) => tell('settle', { number, error: String(error?.message ?? error) }),
      )
      return { [`${key}promise`]: number }
    }
    if (Array.isArray(value)) return value.map(pack)
    return isPlain(value) ? each(value, pack) : value
  }
  function unpack(value) {
    if (Array.isArray(value)) return value.map(unpack)
    if (!isPlain(value)) return value
    const called = value[`${key}function`]
    if (called) return (...args) => call(called, args)
    const promised = value[`${key}promise`]
    if (promised) return new Promise((resolve, reject) => promises.set(promised, { resolve, reject }))
    return Object.freeze(each(value, unpack))
  }

  const tell = (what, detail) =>
    document.dispatchEvent(new CustomEvent(`${key}-${other}-${what}`, { detail }))
  const hear = (what, listener) =>
    document.addEventListener(`${key}-${side}-${what}`, (event) => {
      event.stopImmediatePropagation()
      listener(event.detail)
    })
  function call(number, args) {
    answer = undefined
    tell('call', { number, args: args.map(pack) })
    const given = answer
    if (!given) throw new Error('the other world did not answer')
    if ('error' in given) throw new Error(given.error)
    return unpack(given.result)
  }
  hear('call', ({ number, args }) => {
    let given
    try {
      given = { result: pack(functions.get(number)(...args.map(unpack))) }
    } catch (error) {
      given = { error: String(error?.message ?? error) }
    }
    tell('answer', given)
  })
  hear('answer', (given) => (answer = given))
  hear('settle', ({ number, result, error }) => {
    const promise = promises.get(number)
    promises.delete(number)
    if (error === undefined) promise?.resolve(unpack(result))
    else promise?.reject(new Error(error))
  })

  if (side === 'page') {
    hear('expose', ({ name, api }) =>
      Object.defineProperty(window, name, {
        value: unpack(api),
        enumerable: true,
        writable: false,
        configurable: false,
      }),
    )
    return
  }

  // From here on, what a sandboxed preload finds.
  const toMain = globalThis[key]
  delete globalThis[key]
  const send = (message) => toMain(JSON.stringify(message))
  const strict = (name, object) =>
    new Proxy(object, {
      get(target, member) {
        if (member in target || typeof member === 'symbol' || member === 'then') return target[member]
        throw new Error(`the fake has no ${name}.${member}; add it to e2e/fake-electron/page-world.js`)
      },
    })

  const listeners = new Map()
  const asked = new Map()
  const ipcRenderer = strict('ipcRenderer', {
    send: (channel, ...args) => send({ kind: 'send', channel, args }),
    invoke: (channel, ...args) =>
      new Promise((resolve, reject) => {
        asked.set(++last, { resolve, reject, channel })
        send({ kind: 'invoke', id: last, channel, args })
      }),
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    off(channel, listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((one) => one !== listener),
      )
      return ipcRenderer
    },
  })
  // What comes from the main process is written as JSON, which has no bytes.
  const withBytes = (value) => {
    if (Array.isArray(value)) return value.map(withBytes)
    if (!isPlain(value)) return value
    const bytes = value[`${key}bytes`]
    return bytes === undefined ? each(value, withBytes) : Uint8Array.fromBase64(bytes)
  }
  globalThis[`${key}deliver`] = (written) => {
    const message = withBytes(written)
    if (message.kind === 'event') {
      for (const listener of listeners.get(message.channel) ?? []) listener({ ports: [] }, ...message.args)
      return
    }
    const { resolve, reject, channel } = asked.get(message.id)
    asked.delete(message.id)
    if (message.error === undefined) resolve(message.result)
    else reject(new Error(`Error invoking remote method '${channel}': ${message.error}`))
  }
  const contextBridge = strict('contextBridge', {
    exposeInMainWorld: (name, api) => tell('expose', { name, api: pack(api) }),
  })
  const electron = strict('electron', { contextBridge, ipcRenderer })

  const require = (name) => {
    if (name === 'electron') return electron
    throw new Error(`module not found: ${name} (a sandboxed preload has Electron’s own only)`)
  }
  const process = Object.freeze({
    platform: world.platform,
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
    env: Object.freeze({}),
    argv: Object.freeze([]),
    versions: Object.freeze({ electron: 'fake' }),
  })
  // What the page doesn't take for itself goes to the menu, as unhandled keys do.
  addEventListener(
    'keydown',
    (event) =>
      setTimeout(() => {
        const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event
        if (!defaultPrevented) send({ kind: 'key', args: [{ key, ctrlKey, metaKey, altKey, shiftKey }] })
      }),
    { capture: true },
  )
  addEventListener('contextmenu', (event) => {
    const { target, clientX, clientY, button } = event
    const link = target.closest?.('a[href]')
    const field = target.closest?.('input, textarea')
    const isEditable = Boolean(field ?? target.isContentEditable)
    const selectionText = String(getSelection())
    send({
      kind: 'context-menu',
      args: [
        {
          x: clientX,
          y: clientY,
          linkURL: link?.href ?? '',
          selectionText,
          isEditable,
          mediaType: target.tagName === 'IMG' ? 'image' : 'none',
          hasImageContents: target.naturalWidth > 0,
          misspelledWord: '',
          dictionarySuggestions: [],
          menuSourceType: button === 2 ? 'mouse' : 'keyboard',
          editFlags: {
            canCut: isEditable && selectionText !== '',
            canCopy: selectionText !== '',
            canPaste: isEditable,
            canSelectAll: true,
          },
        },
      ],
    })
  })
  const module = { exports: {} }
  try {
    preload(require, process, module, module.exports)
  } catch (error) {
    send({ kind: 'preload-error', message: String(error?.stack ?? error) })
  }
}
