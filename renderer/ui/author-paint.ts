/** The colour of whoever wrote something, for `--person`; nothing where it isn’t told whose it is. */
export const paintOfAuthor = ({ author_colour }: { author_colour?: number }) =>
  author_colour === undefined ? undefined : `var(--person-${author_colour})`
