import { ipcRenderer } from 'electron'

/** Listens to one kind of message until the returned function is called. */
export function listen<Message>(channel: string, listener: (message: Message) => void): () => void {
  const hear = (_event: unknown, message: Message) => listener(message)
  ipcRenderer.on(channel, hear)
  return () => void ipcRenderer.off(channel, hear)
}
