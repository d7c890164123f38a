/** Said to whoever goes through the text for what is open, where nothing of it stands there. */
export const placeless = (left: number) =>
  left === 1
    ? 'What is open has no place in the text: it is in the list of comments and suggestions.'
    : `None of the ${left} that are open has a place in the text: they are in the list of comments and suggestions.`
