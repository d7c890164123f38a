// What goes into Galley's packages, and what the systems are told about it.
import type { AfterPackContext, Configuration, FileSet } from 'electron-builder'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { writeLinuxScripts } from './linux-scripts.ts'

export const root = path.resolve(import.meta.dirname, '../..')

/** Node's names of the systems that there are packages for. */
export type System = 'linux' | 'darwin' | 'win32'

export type Processor = 'x64' | 'arm64'

/** Where ngrok's native part for a system and a processor is laid out for packing. */
export const ngrokFolder = (system: System, processor: Processor) =>
  path.join(root, 'out', 'ngrok', `${system}-${processor}`)

/** ngrok's library, loaded only once it is wanted, with the one native part that the target loads. */
const ngrok = (system: System): FileSet[] => [
  {
    from: 'node_modules/@ngrok/ngrok',
    to: 'node_modules/@ngrok/ngrok',
    filter: ['package.json', 'index.js', 'LICENSE-*'],
  },
  {
    from: `out/ngrok/${system}-\${arch}/node_modules`,
    to: 'node_modules',
    filter: ['@ngrok/*/package.json', '@ngrok/*/*.node'],
  },
]

/** The database, which isn't bundled either, with the one binary that the target loads. */
const database = (system: System): FileSet => ({
  from: 'node_modules/better-sqlite3',
  to: 'node_modules/better-sqlite3',
  filter: [
    'package.json',
    'LICENSE',
    'lib/**/*.js',
    // Entry points that each name one binary; the app loads the one that chooses.
    '!lib/*-{x64,arm64}.js',
    `prebuilds/${system}-\${arch}.node`,
  ],
})

/** Beside those of Electron and Chromium, where people find them without unpacking anything. */
const licences: FileSet[] = [{ from: 'out', to: '.', filter: ['THIRD-PARTY-LICENCES.txt'] }]

/** The command `galley`, by which a terminal reaches the app's command line. */
const launcher = (file: string, name: string) => ({ from: `build/package/bin/${file}`, to: `bin/${name}` })

const markdown = ['md', 'markdown', 'mdown']

/** Electron's own app, which is cleared away by itself only where Electron was fetched. */
async function removeDefaultApp({ appOutDir, electronPlatformName }: AfterPackContext) {
  const resources = electronPlatformName === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources'
  await rm(path.join(appOutDir, resources, 'default_app.asar'), { force: true })
}

/** Where the source lives, which deb and rpm have to say and where updates come from. */
function findRepository(env: NodeJS.ProcessEnv) {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? '').split('/')
  return owner && repo ? { owner, repo, homepage: `https://github.com/${owner}/${repo}` } : undefined
}

/**
 * electron-builder's configuration. `env` says where the packages will be published, if anywhere, and in
 * GALLEY_ELECTRON_DIST where an unpacked Electron is, if it isn't to be fetched.
 */
export function configure(env: NodeJS.ProcessEnv = process.env): Configuration {
  const repository = findRepository(env)
  const linuxScripts = writeLinuxScripts(path.join(root, 'out', 'package'))
  return {
    appId: 'app.galley.desktop',
    productName: 'Galley',
    copyright: '© The Galley team, MIT licence',
    ...(env.GALLEY_ELECTRON_DIST ? { electronDist: env.GALLEY_ELECTRON_DIST } : {}),
    directories: { output: 'dist', buildResources: 'build/icons' },
    artifactName: 'Galley-${version}-${os}-${arch}.${ext}',
    // Electron names the window after this, and the desktop finds the entry by it.
    extraMetadata: {
      desktopName: 'galley.desktop',
      homepage: repository?.homepage ?? 'https://galley.invalid',
    },
    publish: repository ? { provider: 'github', owner: repository.owner, repo: repository.repo } : null,

    // The bundles hold everything but better-sqlite3 and ngrok's library, whose binaries fit Electron as they are: there
    // is nothing to collect and nothing to rebuild. (`npmRebuild: false` would keep this hook from being asked.)
    beforeBuild: () => Promise.resolve(false),
    afterExtract: removeDefaultApp,
    files: ['package.json', 'LICENSE', 'out/{electron,renderer,server}/**', '!**/*.map'],
    asar: true,
    asarUnpack: ['**/*.node'],
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      // Apple's processors run no program whose signature doesn't fit it; only macOS has the tool that mends it.
      resetAdHocDarwinSignature: process.platform === 'darwin',
    },

    protocols: [{ name: 'Galley', schemes: ['galley'], role: 'Viewer' }],

    linux: {
      extraFiles: licences,
      extraResources: [launcher('galley-linux.sh', 'galley')],
      files: [database('linux'), ...ngrok('linux')],
      target: ['AppImage', 'deb', 'rpm'],
      executableName: 'galley',
      icon: 'linux',
      category: 'Office',
      syncDesktopName: true,
      synopsis: 'Write in markdown, and have it read and improved',
      maintainer: 'The Galley team <galley@localhost>',
      // Types that every desktop knows already, so that no new ones, with icons of their own, are laid over them.
      mimeTypes: ['text/markdown', 'text/x-markdown', 'text/plain'],
      desktop: { entry: { GenericName: 'Markdown editor', Keywords: 'markdown;writing;review;proof;' } },
    },
    deb: linuxScripts,
    rpm: linuxScripts,
    // The newer runtime, which needs no libfuse2: current distributions come without it.
    toolsets: { appimage: '1.0.3' },

    mac: {
      // Signed bundles hold nothing beside these.
      extraResources: [...licences, launcher('galley-mac.sh', 'galley')],
      files: [database('darwin'), ...ngrok('darwin')],
      target: ['dmg', 'zip'],
      icon: 'galley.icns',
      category: 'public.app-category.productivity',
      darkModeSupport: true,
      // Plain text only when it is asked for.
      fileAssociations: [
        { name: 'Markdown document', ext: markdown, role: 'Editor' },
        { name: 'Plain text', ext: ['txt'], role: 'Editor', rank: 'Alternate' },
      ],
    },

    win: {
      extraFiles: licences,
      extraResources: [launcher('galley.cmd', 'galley.cmd')],
      files: [database('win32'), ...ngrok('win32')],
      target: ['nsis'],
      icon: 'galley.ico',
      // The name is a key in the registry. What concerns plain text is in installer.nsh.
      fileAssociations: [{ name: 'Galley.Markdown', description: 'Markdown document', ext: markdown }],
    },
    nsis: {
      // One for each processor, since each holds one binary of the database.
      buildUniversalInstaller: false,
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      license: 'LICENSE',
      include: 'build/package/installer.nsh',
      // Documents are never removed with the program.
      deleteAppDataOnUninstall: false,
    },
  }
}
