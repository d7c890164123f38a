import { app, dialog } from 'electron'
import type { BaseWindow, Session } from 'electron'
import type { MenuEntry } from './menu-entry.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { languageName, pickLanguage, sortLanguages } from './spelling-languages.ts'

/** Where Chromium has its dictionaries from. */
const dictionaries = new URL('https://redirector.gvt1.com/edgedl/chrome/dict/')
/** Where nobody is: what asked for a dictionary before it may would ask here. */
const nowhere = 'http://127.0.0.1:9/'
const mac = process.platform === 'darwin'

export interface Spelling {
  /** Sees to it that no dictionary is fetched for a session that nobody writes in. For each new session. */
  silence(session: Session): void
  /** Has what is written in this session's pages checked as it was before. */
  resume(session: Session): void
  /** The part of a menu that switches it on and off and chooses languages. */
  entries(): MenuEntry[]
}

/**
 * Spelling is checked on this machine. macOS has dictionaries, and knows the language; elsewhere Chromium fetches them
 * from a server of its makers, so that there nothing is checked until somebody has read that and asks for it.
 */
export function createSpelling(preferences: Preferences, onChange: () => void): Spelling {
  let session: Session | undefined
  /** Languages whose dictionary somebody waits for. */
  const awaited = new Set<string>()
  const chosen = () => preferences.find('spelling') ?? { on: mac, languages: [], agreed: [] }
  const name = (code: string) => languageName(code, app.getLocale())

  function apply() {
    if (!session) return
    const { on, languages } = chosen()
    if (mac) return session.setSpellCheckerEnabled(on)
    const known = on ? languages.filter((code) => session!.availableSpellCheckerLanguages.includes(code)) : []
    session.setSpellCheckerDictionaryDownloadURL(known.length > 0 ? dictionaries.href : nowhere)
    session.setSpellCheckerLanguages(known)
  }
  function choose(change: Partial<ReturnType<typeof chosen>>) {
    preferences.set('spelling', { ...chosen(), ...change })
    apply()
    onChange()
  }

  /** Whether the language's dictionary is here or may be fetched. */
  async function agree(code: string, window: BaseWindow | undefined): Promise<boolean> {
    const { agreed } = chosen()
    if (agreed.includes(code)) return true
    const question = {
      type: 'question' as const,
      message: `Fetch the dictionary for ${name(code)}?`,
      detail:
        `It comes from a server of Google’s (${dictionaries.host}), which then knows this machine’s address on the ` +
        'network and the language that was asked for. What you write goes nowhere: it is checked on this machine.',
      buttons: ['Fetch', 'Cancel'],
      defaultId: 0,
      cancelId: 1,
    }
    const { response } = await (window
      ? dialog.showMessageBox(window, question)
      : dialog.showMessageBox(question))
    if (response !== 0) return false
    awaited.add(code)
    choose({ agreed: [...agreed, code] })
    return true
  }

  async function toggleLanguage(code: string, window: BaseWindow | undefined) {
    const { on, languages } = chosen()
    if (on && languages.includes(code)) {
      const rest = languages.filter((other) => other !== code)
      return choose({ on: rest.length > 0, languages: rest })
    }
    if (await agree(code, window)) choose({ on: true, languages: [...new Set([...languages, code])] })
  }
  async function toggle(window: BaseWindow | undefined) {
    const { on, languages } = chosen()
    if (on || mac || languages.length > 0) return choose({ on: !on })
    const code = pickLanguage(
      app.getPreferredSystemLanguages(),
      session?.availableSpellCheckerLanguages ?? [],
    )
    if (code !== undefined) await toggleLanguage(code, window)
  }
  function giveUp(code: string) {
    if (!awaited.delete(code)) return
    const { languages, agreed } = chosen()
    const rest = languages.filter((other) => other !== code)
    choose({ on: rest.length > 0, languages: rest, agreed: agreed.filter((other) => other !== code) })
    void dialog.showMessageBox({
      type: 'warning',
      message: `The dictionary for ${name(code)} could not be fetched`,
      detail:
        'Words in this language aren’t checked. When there is a connection again, choose the language once more.',
    })
  }

  return {
    silence(other) {
      if (mac || other === session) return
      other.setSpellCheckerDictionaryDownloadURL(nowhere)
      other.setSpellCheckerLanguages([])
    },
    resume(own) {
      session = own
      own.on('spellcheck-dictionary-download-success', (_event, code) => void awaited.delete(code))
      own.on('spellcheck-dictionary-download-failure', (_event, code) => giveUp(code))
      apply()
    },
    entries() {
      const all = session && !mac ? session.availableSpellCheckerLanguages : []
      const language = (code: string): MenuEntry => ({
        label: name(code),
        kind: 'checkbox',
        checked: () => chosen().on && chosen().languages.includes(code),
        run: (window) => void toggleLanguage(code, window).finally(onChange),
      })
      const { near, others } = sortLanguages(
        all,
        [...chosen().languages, ...app.getPreferredSystemLanguages()],
        name,
      )
      return [
        {
          label: 'Check Spelling While Typing',
          kind: 'checkbox',
          checked: () => chosen().on,
          run: (window) => void toggle(window).finally(onChange),
        },
        ...(all.length > 0 ? (['separator'] as const) : []),
        ...near.map(language),
        ...(near.length > 0 && others.length > 0 ? (['separator'] as const) : []),
        ...others.map(language),
      ]
    },
  }
}
