/** From its parenthesis on, where a link or a picture leads, which may have parentheses of its own, with the title behind it. */
export const linkAddress = String.raw`\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`
