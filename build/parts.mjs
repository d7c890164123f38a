// What is built from what. Each part is built only when one of its sources has changed.

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} label what people are told is being built
 * @property {string} output the folder it is written to
 * @property {string[]} entries without which there is nothing to build
 * @property {string[]} sources files and folders that it is made of
 * @property {string[]} [except] folders among the sources that it is not made of
 * @property {Record<string, string>} [copies] files that are among what is built as they are, by their names there
 */

const shared = ['server/contract', 'server/domain', 'server/markdown']
const config = [
  'package-lock.json',
  'svelte.config.js',
  'tsconfig.json',
  'build/build.ts',
  'build/licences.ts',
  'build/parts.mjs',
  'build/text-face.ts',
]

/** Beside the clock macOS paints the icon itself, and Windows chooses a size. */
const trayIcons = {
  'icons/trayTemplate.png': 'build/icons/trayTemplate.png',
  'icons/trayTemplate@2x.png': 'build/icons/trayTemplate@2x.png',
  'icons/tray.ico': 'build/icons/galley.ico',
  'icons/tray.png': 'build/icons/linux/24x24.png',
  'icons/tray@2x.png': 'build/icons/linux/48x48.png',
}

/** @type {Part[]} */
export const parts = [
  {
    name: 'owner',
    label: 'the app',
    output: 'out/renderer/owner',
    entries: ['renderer/owner/index.html'],
    sources: ['renderer', ...shared, ...config],
    except: ['renderer/share'],
  },
  {
    name: 'share',
    label: 'the share page',
    output: 'out/renderer/share',
    entries: [
      'renderer/share/viewer.ts',
      'renderer/share/undelivered.ts',
      'renderer/share/worker/worker.ts',
      'renderer/diagrams/frame.ts',
      'renderer/share/document.css',
      'renderer/share/docs.css',
      'renderer/share/document-fonts.css',
    ],
    sources: ['renderer', ...shared, ...config],
    except: ['renderer/owner'],
    copies: { 'faces.json': 'out/text-face/faces.json' },
  },
  {
    name: 'server',
    label: 'the server',
    output: 'out/server',
    entries: ['server/index.ts', 'server/cli.ts'],
    sources: ['server', 'package.json', ...config],
  },
  {
    name: 'electron',
    label: 'the desktop window',
    output: 'out/electron',
    entries: ['electron/main.ts'],
    sources: [
      'electron',
      'server/contract',
      'server/data-folder.ts',
      'server/platform',
      'server/store/open-error.ts',
      'package.json',
      ...Object.values(trayIcons),
      ...config,
    ],
    copies: trayIcons,
  },
]
