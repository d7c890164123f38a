import { expect, it } from 'vitest'
import type { DraftStore } from '../../editor/drafts.ts'
import { StubServer } from '../../editor/testing/stub-server.ts'
import { OwnerSession } from './session.svelte.ts'

const drafts: DraftStore = {
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
  list: () => Promise.resolve([]),
}

/** An open document whose text is what the server says next. */
function scene(title: string, content: string, key_name: string | null = null) {
  const server = new StubServer(content, title)
  server.answers['listVersions'] = () => [{ title: server.document.title, kind: 'create', key_name }]
  const session = new OwnerSession({ api: server.api, document: server.document, drafts, onNotice: () => {} })
  return {
    session,
    stored: () => server.document,
    /** As somebody else changes it. */
    arrive(change: { content?: string; title?: string }) {
      const { revision } = session.base
      server.change(change)
      session.saver.receive(server.changesSince(revision))
      session.followHeading()
      return session.title
    },
    /** As the owner changes it, whose decisions are shown like this. */
    async write(text: string) {
      server.change({ content: text })
      await session.refresh()
      session.followHeading()
      return session.title
    },
  }
}

it('the title follows the first heading, as it is typed, changed and taken away', async () => {
  const { session, stored, write } = scene('Untitled', '')
  expect(await write('# A')).toBe('A')
  expect(await write('# A *harbour* &amp; more\n\nText')).toBe('A harbour & more')
  expect(await write('# A *harbour* &amp; more\n\nText\n\n## Further')).toBe('A harbour & more')
  expect(await write('Text only')).toBe('Untitled')
  expect(await write('# Once more')).toBe('Once more')
  await session.saveNow()
  expect(stored().title).toBe('Once more')
})

it('of a document that was opened with the title of its heading it follows too, of any other not', async () => {
  expect(await scene('Old', '# Old').write('# New')).toBe('New')
  expect(await scene('My own', '# Old').write('# New')).toBe('My own')
  expect(await scene('Untitled', '# Old').write('# New')).toBe('New')
})

it('a title that a program has given stays, also where it is the heading’s', async () => {
  const { session, write, stored } = scene('Old', '# Old', 'agent')
  expect(await write('# New')).toBe('Old')
  await session.saveNow()
  expect(stored().title).toBe('Old')
  // Nobody has named what is called nothing.
  const later = scene('Untitled', '', 'agent')
  expect(await later.write('# New')).toBe('New')
  await later.session.saveNow()
  later.arrive({ title: 'By an agent' })
  expect(await later.write('# By an agent')).toBe('By an agent')
  later.arrive({ title: 'By another' })
  later.arrive({ title: 'By an agent' })
  expect(await later.write('# Another')).toBe('By an agent')
})

it('a title that a person has typed stays, even where it is the heading’s', async () => {
  const { session, write } = scene('Untitled', '')
  await write('# Heading')
  session.rename('Heading')
  expect(await write('# Another')).toBe('Heading')
})

it('a title that was taken away is the text’s again', async () => {
  const { session, write } = scene('Untitled', '')
  await write('# Heading')
  session.rename('Mine')
  session.leaveTitle()
  expect(session.title).toBe('Mine')
  session.rename('')
  session.leaveTitle()
  expect(session.title).toBe('Heading')
  expect(await write('# Another')).toBe('Another')
})

it('what others do to the heading names nothing', async () => {
  const { session, stored, write, arrive } = scene('Old', '# Old')
  expect(arrive({ content: '# A guest’s joke' })).toBe('Old')
  await session.saveNow()
  expect(stored().title).toBe('Old')
  // Nor does it when the owner then writes somewhere else.
  expect(await write('# A guest’s joke\n\nMore.')).toBe('Old')
  // Their own heading names it again.
  expect(await write('# Mine\n\nMore.')).toBe('Mine')
})

it('nor is a document named by others that nobody has named', () => {
  expect(scene('Untitled', '').arrive({ content: '# A guest’s' })).toBe('Untitled')
})

it('a title that comes from another window is followed on if it is the heading’s, and else stays', async () => {
  const { session, write, arrive } = scene('Untitled', '')
  expect(arrive({ content: '# Heading' })).toBe('Untitled')
  expect(arrive({ title: 'Heading' })).toBe('Heading')
  expect(await write('# Another')).toBe('Another')
  await session.saveNow()
  expect(arrive({ title: 'My own' })).toBe('My own')
  expect(await write('# A third')).toBe('My own')
})

it('is blank as long as there is neither a text nor a name', async () => {
  const { session, write } = scene('Untitled', '')
  expect(session.isBlank).toBe(true)
  session.rename('Named')
  expect(session.isBlank).toBe(false)
  session.rename('')
  expect(session.isBlank).toBe(true)
  await write('Words')
  expect(session.isBlank).toBe(false)
})
