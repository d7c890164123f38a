/** Said where a link leads to something said that was deleted, withdrawn, or never was. */
export const goneWords = (kind = 'comment or suggestion'): string =>
  `The ${kind} that this link leads to is no longer here.`
