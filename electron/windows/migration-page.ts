import type { MigrationProgress } from '../../server/index.ts'
import { plainPage } from './plain-page.ts'

const count = ({ done, of }: MigrationProgress) =>
  `${done.toLocaleString('en')} of ${of.toLocaleString('en')} documents`

/** The page that says how far the database of an older Galley has been brought up to date. */
export const migrationPage = (progress: MigrationProgress): string =>
  plainPage(
    'Galley',
    `<div role="status">
<h1 id="what">Bringing your documents up to date</h1>
<p>This version of Galley keeps them in another way. It happens once and may take a minute; a copy of how they were is in the folder “backups”.</p>
</div>
<progress aria-labelledby="what" max="${progress.of}" value="${progress.done}"></progress>
<p id="count">${count(progress)}</p>`,
  )

/** What the page is told as it goes on. It is said to nobody aloud: the bar can be asked. */
export const migrationUpdate = (progress: MigrationProgress): string =>
  `document.querySelector('progress').value = ${progress.done}
document.getElementById('count').textContent = ${JSON.stringify(count(progress))}`
