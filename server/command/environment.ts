/** The variables that commands look at, for help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  [
    'GALLEY_URL',
    'the Galley whose documents are meant, as https://galley.example.org, instead of this machine’s',
  ],
  [
    'GALLEY_KEY',
    'an API key for it; without GALLEY_URL, for the Galley that runs here, which then allows what the key does',
  ],
  ['GALLEY_DATA', 'the data folder, where --data doesn’t say it'],
  ['VISUAL, EDITOR', 'what “doc edit” opens'],
  ['NO_COLOR', 'no colours, also at a terminal; elsewhere there never are any'],
]
