/** What so many links do while nothing is shared. */
export const linksWords = (links: number): string =>
  links === 1 ? 'Your link opens nothing' : `Your ${links} links open nothing`
