/** More than this isn’t put on the clipboard: programs that paste would stand still. */
const most = 20 * 1024 * 1024

/**
 * Puts the pictures of a document into HTML that leaves Galley, since nobody elsewhere can ask for them. One that can’t
 * be had is named by its words.
 * @param load the bytes of a file, by its name as it stands in an address; null where there is none
 */
export async function withPictures(
  html: string,
  load: (name: string) => Promise<Blob | null>,
): Promise<string> {
  if (!html.includes('"files/')) return html
  // A document that was only parsed runs and loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  let room = most
  const known = new Map<string, string | null>()
  for (const image of body.querySelectorAll('img')) {
    const [, name] = /^files\/([^/?#]+)$/.exec(image.getAttribute('src') ?? '') ?? []
    if (name === undefined) continue
    let source = known.get(name)
    if (source === undefined) {
      const file = await load(name).catch(() => null)
      source = file && file.size <= room && file.type.startsWith('image/') ? await dataUrlOf(file) : null
      if (file && source !== null) room -= file.size
      known.set(name, source)
    }
    if (source === null) image.replaceWith(image.alt)
    else image.src = source
  }
  return body.innerHTML.trim()
}

const dataUrlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })
