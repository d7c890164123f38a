import { chosenFiles, type FoundFile } from './markdown-files.ts'

/** Lets a person choose files, or a whole folder. */
export function chooseFiles({ folder = false } = {}): Promise<{ found: FoundFile[]; skipped: string[] }> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    if (folder) input.webkitdirectory = true
    // With what their texts show.
    else input.accept = '.md,.markdown,.txt,text/markdown,text/plain,image/*'
    input.onchange = () => resolve(chosenFiles(input.files ?? []))
    input.oncancel = () => resolve({ found: [], skipped: [] })
    input.click()
  })
}
