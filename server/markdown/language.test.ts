import { describe, expect, test } from 'vitest'
import { namedLanguage } from './language.ts'
import { renderMarkdown } from './render.ts'

const languageOf = (source: string) => renderMarkdown(source).language

describe('a document’s language', () => {
  test('is the one that its front matter names', () => {
    expect(
      languageOf('---\nlang: fi\n---\n\nA galley proof goes out for review before it is in print.'),
    ).toBe('fi')
    expect(namedLanguage('---\ntitle: x\nLanguage: "pt_br" # of Brazil\n---')).toBe('pt-BR')
    expect(namedLanguage('---\nlang: English\n---')).toBeNull()
    expect(namedLanguage('---\nlang: de"><script>\n---')).toBeNull()
    expect(namedLanguage('')).toBeNull()
  })

  test.each([
    ['en', 'A galley proof is the draft that goes out for review before print.'],
    ['de', 'Ein Korrekturabzug ist der Entwurf, der vor dem Druck zur Durchsicht geht.'],
    ['fr', 'Les épreuves sont relues, ligne par ligne, avant que le livre ne soit imprimé par la maison.'],
    ['es', 'Las galeradas son las pruebas que se leen antes de que el libro vaya a la imprenta.'],
    ['nl', 'De drukproef is het concept dat voor het drukken nog een keer wordt gelezen.'],
    ['sv', 'Ett korrektur är det utkast som läses innan boken går till tryck, och det är inte klart.'],
    ['pl', 'To jest korekta, która nie jest jeszcze gotowa, i do druku jest daleko.'],
    ['ru', 'Гранки ходят по кругу, пока их не прочитает и не поправит каждый, кто это может.'],
    ['uk', 'Це коректура, яка ще не готова, і до друку з нею далеко, та що поробиш.'],
    ['he', 'הגהה היא הטיוטה של הספר, והיא יוצאת לביקורת לפני הדפוס. לא כל אחד קורא את זה.'],
    ['ar', 'هذا نص قصير من أجل القراءة، وهو الذي يقرأ على الورق في البيت.'],
    ['fa', 'این یک متن کوتاه برای خواندن است که در خانه از روی کاغذ خوانده می شود.'],
    ['el', 'Τα δοκίμια ταξιδεύουν.'],
    ['ja', 'これは校正刷りです。'],
    ['zh', '这是一份校样。'],
    ['ko', '이것은 교정쇄입니다.'],
  ])('is told from its words: %s', (language, text) => {
    expect(languageOf(`${text}\n`)).toBe(language)
  })

  test('isn’t guessed from a few words, from code, or from none', () => {
    expect(languageOf('Hello')).toBeNull()
    expect(languageOf('')).toBeNull()
    expect(languageOf('12 + 30 = 42\n\n* * *')).toBeNull()
    expect(languageOf('```\nDer Entwurf, der vor dem Druck zur Durchsicht geht.\n```\n')).toBeNull()
  })
})
