const name = 'data-markdown-beside'

/** Says of HTML that the plain text beside it on the clipboard is the markdown it was made from. */
export const markdownBeside = `${name}="true"`

export const hasMarkdownBeside = (attributes: Readonly<Record<string, string>>) => name in attributes
