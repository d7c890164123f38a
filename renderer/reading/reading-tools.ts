import { sharedDrawer } from '../diagrams/drawer.ts'
import { addCopyButtons } from './copy-code.ts'
import { letAllEnlarge, letEnlarge, watchEnlarging } from './enlarge-pictures.ts'
import { lookForLostPictures, watchLostPictures } from './lost-pictures.ts'
import { ShownDiagrams } from './shown-diagrams.ts'

/**
 * Gives a rendered text what it can do where script runs, also where it is replaced later. The text may stand in a frame
 * without scripts, which the page around it looks into. Returns what ends it.
 * @param diagrams the address of the page that draws diagrams
 */
export function attachReadingTools(content: HTMLElement, diagrams: string): () => void {
  const shown = new ShownDiagrams(content, sharedDrawer(diagrams), letEnlarge)
  const look = () => {
    addCopyButtons(content)
    shown.look()
    letAllEnlarge(content)
    lookForLostPictures(content)
  }
  const stopLost = watchLostPictures(content)
  look()
  const stopEnlarging = watchEnlarging(content)
  const observer = new MutationObserver(look)
  observer.observe(content, { childList: true })
  return () => {
    observer.disconnect()
    shown.end()
    stopEnlarging()
    stopLost()
  }
}
