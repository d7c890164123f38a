// For the page that says why Galley can't start. The page has no script; its buttons are heard from here.
import { ipcRenderer } from 'electron'
import { choiceChannel } from './channels.ts'

addEventListener('DOMContentLoaded', () => {
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => ipcRenderer.send(choiceChannel, button.value))
  }
})
