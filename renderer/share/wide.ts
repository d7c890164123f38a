/** From this width on, threads stand beside the text. `viewer.css` has the same number. */
export const withMargin = '(min-width: 64rem)'
