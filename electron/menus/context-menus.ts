import { app, BrowserWindow, clipboard, Menu } from 'electron'
import { contextMenu } from './context-menu.ts'
import { toTemplate, type MenuContext, type MenuEntry } from './menu-entry.ts'

export interface ContextMenusOptions {
  isOwn: (url: string) => boolean
  findOutside: (url: string) => string | undefined
  openInside: (url: string) => void
  openOutside: (url: string) => void
  spelling: () => MenuEntry[]
  commands: MenuContext
}

/** Shows a menu where something in a page is clicked with the other button, or by the key for that. */
export function showContextMenus(options: ContextMenusOptions) {
  app.on('web-contents-created', (_created, contents) => {
    contents.on('context-menu', (_event, clicked) => {
      const window = BrowserWindow.fromWebContents(contents)
      if (!window) return
      const entries = contextMenu(clicked, {
        mac: process.platform === 'darwin',
        isOwn: options.isOwn,
        findOutside: options.findOutside,
        spelling: options.spelling(),
        actions: {
          replaceWord: (word) => contents.replaceMisspelling(word),
          learnWord: (word) => contents.session.addWordToSpellCheckerDictionary(word),
          copyText: (text) => clipboard.writeText(text),
          copyImage: () => contents.copyImageAt(clicked.x, clicked.y),
          lookUp: () => contents.showDefinitionForSelection(),
          openInside: options.openInside,
          openOutside: options.openOutside,
        },
      })
      if (entries.length === 0) return
      const { x, y, frame, menuSourceType: sourceType } = clicked
      Menu.buildFromTemplate(toTemplate(entries, options.commands).template).popup({
        window,
        ...(frame ? { frame } : {}),
        // By the key it opens where one writes; else where the mouse is.
        ...(sourceType === 'keyboard' ? { x, y } : {}),
        sourceType,
      })
    })
  })
}
