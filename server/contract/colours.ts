/** So many colours of people are told apart; where more come, several have one. */
export const coloursOfPeople = 8
