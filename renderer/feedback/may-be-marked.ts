/** Whether anything in a comment may be more than words: most have nothing, and need nothing that reads them. */
export const mayBeMarked = (text: string) =>
  /[*_~`\\@\]]|https?:|mailto:|^ {0,3}(?:>|[-+] |\d{1,9}[.)] )/imu.test(text)
