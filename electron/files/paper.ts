import { app } from 'electron'
import type { WebContents } from 'electron'
import { createPrintWindow } from '../windows/window.ts'

export interface PaperOptions {
  /** The address of a path of the app's, signed in; undefined as long as there is no server. */
  addressOf: (path: string) => Promise<string | undefined>
}

export interface Paper {
  /** @param diagrams the key of those that were drawn for it */
  pdf(documentId: string, diagrams?: string): Promise<Uint8Array>
  /** Opens the system's window for printing; resolves when the document is on its way, or the person thought better of it. */
  print(documentId: string, diagrams?: string): Promise<void>
}

/** Documents as pages of paper. Each is set in a window of its own that nobody sees, and that holds no script. */
export function createPaper({ addressOf }: PaperOptions): Paper {
  async function set<Result>(
    documentId: string,
    diagrams: string | undefined,
    use: (contents: WebContents) => Promise<Result>,
  ) {
    const drawn = diagrams === undefined ? '' : `?diagrams=${diagrams}`
    const address = await addressOf(`/print/${documentId}${drawn}`)
    if (address === undefined) throw new Error('Galley can’t be reached right now.')
    const window = createPrintWindow()
    try {
      let status = 0
      window.webContents.on('did-navigate', (_event, _url, code) => (status = code))
      await window.loadURL(address).catch(() => {})
      if (status === 404) throw new Error('The document isn’t here any more.')
      if (status !== 200) throw new Error('Galley can’t be reached right now.')
      return await use(window.webContents)
    } finally {
      window.destroy()
    }
  }

  return {
    pdf: (documentId, diagrams) =>
      set(documentId, diagrams, (contents) =>
        contents.printToPDF({
          pageSize: letterIsUsual.has(app.getLocaleCountryCode()) ? 'Letter' : 'A4',
          printBackground: true,
          generateTaggedPDF: true,
          generateDocumentOutline: true,
        }),
      ),
    print: (documentId, diagrams) =>
      set(
        documentId,
        diagrams,
        (contents) =>
          new Promise<void>((resolve, reject) => {
            contents.print({ printBackground: true, usePrinterDefaultPageSize: true }, (done, reason) => {
              if (done || /cancel/i.test(reason)) resolve()
              else reject(new Error(reason || 'The system gave no reason.'))
            })
          }),
      ),
  }
}

/** Where people have paper of that size; everywhere else it is A4. */
const letterIsUsual = new Set([
  'US',
  'CA',
  'MX',
  'CL',
  'CO',
  'CR',
  'GT',
  'NI',
  'PA',
  'PH',
  'PR',
  'SV',
  'VE',
  'DO',
])
