const MiB = 1024 * 1024

/** A number of bytes as descriptions say it. */
export const bytes = (count: number): string =>
  count % MiB === 0 ? `${count / MiB} MiB` : `${count / 1024} KiB`

/** A count as descriptions say it. */
export const count = (figure: number): string => figure.toLocaleString('en')
