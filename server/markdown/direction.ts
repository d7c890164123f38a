export type Direction = 'ltr' | 'rtl'

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}\p{Script=Yezidi}]/u

/** The direction that a text’s first letter gives it; null without a letter. Digits and signs go either way. */
export function directionOf(text: string): Direction | null {
  const letter = /\p{L}/u.exec(text)
  if (!letter) return null
  return rightToLeft.test(letter[0]) ? 'rtl' : 'ltr'
}
