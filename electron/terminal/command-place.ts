import path from 'node:path'

/** What is known of the program that runs. */
export interface ProgramFacts {
  platform: NodeJS.Platform
  isPackaged: boolean
  /** The one file of an AppImage. */
  appImage: string | undefined
  /** The packaged app's `resources`. */
  resources: string
  home: string
  /** The PATH of the session that the app was started in. */
  searchPath: string | undefined
  /** On macOS, the folders that each terminal looks in, a line each; undefined where that can’t be read. */
  systemPaths: string | undefined
  /** Whether a folder is on a volume that nobody can write to. */
  isReadOnly: (folder: string) => boolean
}

/** Where the command `galley` is put for terminals, and what it leads to. */
export interface CommandPlace {
  link: string
  target: string
  /** Whether terminals look in the link’s folder. */
  isSearched: boolean
  /** The app runs from where it won’t stay, so nothing may lead there. */
  isPassing: boolean
  /** Whether what a link leads to is some Galley, whichever it is. */
  isGalley: (target: string) => boolean
}

/** Undefined where the package has seen to it (Windows, deb, rpm), and for what is started from its source. */
export function findCommandPlace(facts: ProgramFacts): CommandPlace | undefined {
  if (facts.platform === 'darwin' && facts.isPackaged) return onMac(facts)
  return facts.platform === 'linux' && facts.appImage !== undefined
    ? ofAppImage(facts, facts.appImage)
    : undefined
}

function onMac({ resources, systemPaths, isReadOnly }: ProgramFacts): CommandPlace {
  const { posix } = path
  const bin = '/usr/local/bin'
  const target = posix.join(resources, 'bin/galley')
  // What was just downloaded is run from a copy that has another place each time.
  const isTranslocated = target.includes('/AppTranslocation/')
  const isOnImage = target.startsWith('/Volumes/') && isReadOnly(posix.resolve(resources, '../../..'))
  return {
    link: `${bin}/galley`,
    target,
    isSearched: systemPaths === undefined || systemPaths.split('\n').includes(bin),
    isPassing: isTranslocated || isOnImage,
    isGalley: (other) => other.endsWith('/Galley.app/Contents/Resources/bin/galley'),
  }
}

function ofAppImage({ home, searchPath }: ProgramFacts, target: string): CommandPlace {
  const bin = path.posix.join(home, '.local/bin')
  const searched = (searchPath ?? '').split(':').map((folder) => folder.replace(/(?<=.)\/+$/, ''))
  return {
    link: `${bin}/galley`,
    target,
    isSearched: searched.includes(bin),
    isPassing: false,
    isGalley: (other) => /\/Galley[^/]*\.AppImage$/i.test(other),
  }
}
