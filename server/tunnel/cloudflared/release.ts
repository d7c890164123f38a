/** A file of the vendor's that holds cloudflared for one kind of machine. */
export interface Download {
  url: string
  /** Of what is fetched, in bytes. */
  size: number
  /** Of what is fetched. */
  sha256: string
  /** The SHA-256 of the program in an archive; null where what is fetched is the program. */
  programSha256: string | null
}

export interface Release {
  version: string
  vendor: string
  licence: string
  /** What the vendor asks of whoever uses it. */
  terms: string
  /** Where the vendor says how to install it oneself. */
  instructions: string
  /** By `process.platform` and `process.arch`. */
  downloads: Readonly<Record<string, Download>>
}

const version = '2026.10.0'
const file = (name: string, size: number, sha256: string, programSha256: string | null = null): Download => ({
  url: `https://github.com/cloudflare/cloudflared/releases/download/${version}/${name}`,
  size,
  sha256,
  programSha256,
})

/**
 * The one cloudflared that Galley fetches.
 *
 * Sizes and checksums of the files are the `size` and `digest` of the assets of release 2026.10.0 of
 * github.com/cloudflare/cloudflared. For the archives of macOS, the list “SHA256 Checksums” in the release's notes
 * gives those of the program in them instead, which is the second figure. Each was taken from several projects that
 * pin the same release and had looked independently (agreeing on all seven); nothing was computed here. A new version
 * gets its figures from the release's page, both lists, and no machine gets one that isn't in them.
 */
export const release: Release = {
  version,
  vendor: 'Cloudflare, Inc.',
  licence: 'Apache-2.0',
  terms: 'https://www.cloudflare.com/website-terms/',
  instructions:
    'https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/',
  downloads: {
    'linux-x64': file(
      'cloudflared-linux-amd64',
      40_129_756,
      'd33ff2d14475178d2012c2c56beba87389ac5ded27649519f198a7d3134a99db',
    ),
    'linux-arm64': file(
      'cloudflared-linux-arm64',
      37_687_584,
      'e6422b9d4f72d3194bc5a38676f13667c06666523217b842a877d72a80b5ac08',
    ),
    'darwin-x64': file(
      'cloudflared-darwin-amd64.tgz',
      21_741_581,
      '903845b81828c8cb3c5d13d816a2de71c06a3da5785469df8eb0e1b736d92f9f',
      '0560c9ab7281ac3f746055323623ed23bc0405b6dab9400474020cba33a978da',
    ),
    'darwin-arm64': file(
      'cloudflared-darwin-arm64.tgz',
      19_809_074,
      'a2f79ff7b9420aa537d74af239f376da170bbabeb529aec416002adac6a72e70',
      '72edfd3eea463aef4d5cb89e2e209cecb048cc756c2b01915de2e0ad7cb39830',
    ),
    'win32-x64': file(
      'cloudflared-windows-amd64.exe',
      55_365_048,
      '86aee4017b26625cee8484c113558f48effa4cd47f7aa05fcf425604e5d2b23c',
    ),
  },
}

/** What is fetched for a machine; undefined where no checksum is known, so that nothing is. */
export const downloadFor = (
  platform: string = process.platform,
  arch: string = process.arch,
  from: Release = release,
): Download | undefined => from.downloads[`${platform}-${arch}`]
