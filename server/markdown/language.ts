const said =
  /^(?:lang|language)[ \t]*:[ \t]*["']?([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3})["']?[ \t]*(?:#.*)?$/im

/** The language that a document’s front matter names, as HTML does; null where it names none. */
export function namedLanguage(frontMatter: string): string | null {
  const [, name] = said.exec(frontMatter) ?? []
  if (name === undefined) return null
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? null
  } catch {
    return null
  }
}

/** Scripts that one language has to itself, or all but. */
const ofOne: readonly [string, RegExp][] = [
  ['el', /\p{Script=Greek}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['si', /\p{Script=Sinhala}/gu],
  ['km', /\p{Script=Khmer}/gu],
  ['my', /\p{Script=Myanmar}/gu],
]

/** The words that a text in a language can’t do without. */
const common: Readonly<Record<string, string>> = {
  en: 'the of and to in is that for it with as was on are be this by not but from have you which they',
  de: 'der die und das ist nicht den von zu mit sich des auf für ein eine im dem auch es wird sie ich wir',
  fr: 'le la les et des est un une dans que qui pour pas sur du au ce avec par plus ne se il nous elle',
  es: 'el la los que de en y un una es por con para las del se no su lo como más pero al',
  it: 'il di che e la un una per è non con del della sono si da gli le nel anche i ma',
  pt: 'o de que e do da em um uma para com não os as se na no por mais dos ao mas',
  ca: 'el la els que de i un una és per amb no les del es als però com va',
  nl: 'de het een en van is dat op te in niet zijn met voor die aan er ook ik maar wordt',
  sv: 'och att det i en som är på av för med inte den till ett har om jag var',
  da: 'og at det en er på til af for ikke den med som der jeg et har blev også',
  no: 'og i det er på en til som for av ikke med at har et jeg var ble også',
  fi: 'ja on ei että se hän oli mutta kun niin ovat joka tai myös ennen jos sen',
  pl: 'i w nie na się z do to że jest jak o po co jego ale który są dla',
  cs: 'a se v na je že to s z do i o pro jsem jako ale který jsou být',
  sk: 'a sa v na je že to s z do aj o pre som ako ale ktorý sú byť',
  hu: 'a az és hogy nem is egy ez de van csak meg mint volt már ki',
  ro: 'și în de la a că nu este cu pe un o din mai pentru care sunt să',
  tr: 've bir bu da için ile çok olarak daha gibi ne olan değil de en her kadar',
  id: 'yang dan di ini itu dengan untuk dari tidak dalam pada adalah ke akan oleh',
  vi: 'là và của có không được cho một những trong các này với người để',
  ru: 'и в не на что с по это как к из у за то он их его но для',
  uk: 'і в не на що з та це як до у за від є він їх але для й',
  bg: 'и на да се не в за от са е по че това с който към',
  sr: 'и је да у се на не за су од као што са то али',
  ar: 'في من على إلى أن هذا هذه التي الذي عن مع لا ما هو كان ثم',
  fa: 'و در به از که این را با است برای آن یک تا می خود',
  ur: 'کے میں کی ہے اور سے کو کا یہ کہ پر نے ہیں اس',
  he: 'של את על לא זה הוא היא עם כל גם אני או אם כי שלום',
  yi: 'און די איז דער אין צו פון דאס א נישט מיט ער זיך',
  hi: 'है के में की और का से को यह पर ने हैं कि एक भी',
}
const languages = new Map<string, string[]>()
for (const [language, words] of Object.entries(common)) {
  for (const word of words.split(' ')) languages.set(word, [...(languages.get(word) ?? []), language])
}

/** So much of a text is looked at: what comes after says little that is new. */
const sample = 5_000
/** So many of its common words a language needs, and that much ahead of any other. */
const fewest = 3
const ahead = 1.3

/** The language that a text is written in; null where that can’t be told well enough. */
export function languageOf(text: string): string | null {
  const start = text.slice(0, sample)
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  for (const [language, script] of ofOne) {
    const share = (start.match(script)?.length ?? 0) / letters
    // What is written in kana holds many of the signs that Chinese is written in.
    if (share > (language === 'ja' ? 0.15 : 0.6) && letters > 3) return language
  }
  const scores = new Map<string, number>()
  const words = start.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  for (const word of words)
    for (const language of languages.get(word) ?? []) scores.set(language, (scores.get(language) ?? 0) + 1)
  const [best, next] = [...scores].sort(([, a], [, b]) => b - a)
  if (!best || best[1] < fewest || best[1] < words.length / 10) return null
  return best[1] >= (next?.[1] ?? 0) * ahead ? best[0] : null
}
