/** How documents are named as resources. */
export const scheme = 'galley://documents/'
export const documentUri = (id: string) => `${scheme}${id}`
export const feedbackUri = (id: string) => `${scheme}${id}/feedback`
