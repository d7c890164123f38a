/**
 * From these widths of the window on there is room beside the text, for the owner as for recipients: for one thing, and
 * for one on each side. Style sheets can’t read them, and have the same numbers; a test holds them to it.
 */
export const besideText = 'min-width: 64rem'
export const onBothSides = 'min-width: 82rem'
