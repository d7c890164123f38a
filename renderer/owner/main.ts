import { mount } from 'svelte'
import '../ui/base.css'
import { keepFeedbackDraftsIn } from '../feedback/feedback-drafts.ts'
import App from './App.svelte'
import { desktop } from './desktop.ts'
import { desktopStorage } from './desktop-drafts.ts'

async function start() {
  try {
    if (desktop) keepFeedbackDraftsIn(await desktopStorage(desktop.drafts, localStorage))
  } catch {
    // Then drafts stay in the browser alone.
  }
  mount(App, { target: document.getElementById('app')! })
}

void start()
