import { errorCatalogue } from '../../contract/errors.ts'
import { operationArticle, type DescribedOperation } from './docs-operation.ts'
import { fieldList, prose } from './docs-parts.ts'
import { commonHead } from './head.ts'
import { markup, type Html } from './markup.ts'
import type { OpenApi } from './openapi-schema.ts'

/** The API reference for people, made from the OpenAPI document. It has no script. `style` is its style sheet’s URL. */
export function docsPage(openApi: object, { style }: { style: string }): string {
  const api = openApi as OpenApi
  const entries: DescribedOperation[] = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = api.tags.map((tag) => ({
    ...tag,
    id: slug(tag.name),
    entries: entries.filter(({ operation }) => operation.tags[0] === tag.name),
  }))
  const records = Object.entries(api.components.schemas)
  const title = `${api.info.title} API`
  return markup`<!doctype html>
<html lang="en">
<head>${commonHead(title)}
<link rel="stylesheet" href="${style}">
</head>
<body class="docs">
<a class="skip" href="#start">Skip to the reference</a>
<header class="top">
<p class="name">${title}</p>
<p class="version">${api.info.version}</p>
<p class="raw"><a href="api/openapi.json">OpenAPI 3.1</a></p>
</header>
<details class="nav-narrow"><summary>Contents</summary>${contents(groups)}</details>
<div class="frame">
<nav class="nav" aria-label="Contents">${contents(groups)}</nav>
<main id="start">
<section class="chapter" id="introduction">
<h1>${title}</h1>
${prose(api.info.description ?? api.info.summary ?? '')}
</section>
<section class="chapter" id="authentication">
<h2>Credentials</h2>
<p>There are three ways to say who is calling. A share token decides access whenever it is there, for the owner too; a key or a session beside it only names the author.</p>
<dl class="ways">
<div><dt>API key</dt><dd>${prose('For scripts: `Authorization: Bearer gally_…`. Made in the app or with `galley key create`. A `read` key may change nothing.')}</dd></div>
<div><dt>Session</dt><dd>${prose('The cookie of a browser that was signed in with a one-time link. It means nothing on the recipients’ listener.')}</dd></div>
<div><dt>Share token</dt><dd>${prose('`?share_token=…` or the header `Galley-Share-Token: …`, the last part of a share link: what the link permits, on that one document, without an account.')}</dd></div>
</dl>
<pre class="code" tabindex="0"><code>curl -H "Authorization: Bearer $GALLEY_KEY" http://127.0.0.1:4780/api/documents</code></pre>
</section>
<section class="chapter" id="errors">
<h2>Errors</h2>
<p>Whatever fails answers with <code>data</code> null and an <code>error</code>. The <code>code</code> is stable; the <code>message</code> is for people.</p>
<pre class="code" tabindex="0"><code>${JSON.stringify({ data: null, error: { message: 'Document not found', code: 'NOT_FOUND' } }, null, 2)}</code></pre>
<div class="scroll" role="region" aria-label="Error codes" tabindex="0"><table>
<thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
<tbody>${Object.entries(errorCatalogue).map(
    ([code, { status, meaning }]) =>
      markup`<tr><td>${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`,
  )}</tbody>
</table></div>
</section>
${groups.map(
  (group) => markup`<section class="chapter" id="${group.id}">
<h2>${group.name}</h2>
${prose(group.description ?? '')}
${group.entries.map((entry) => operationArticle(entry, api))}
</section>`,
)}
<section class="chapter" id="records">
<h2>Records</h2>
<p>The shapes that the routes speak of.</p>
${records.map(
  ([name, schema]) => markup`<article class="record" id="record-${name}">
<h3>${name}</h3>
${schema.description !== undefined && prose(schema.description)}
${fieldList(schema, api, 'fields of a record')}
</article>`,
)}
</section>
</main>
</div>
</body>
</html>
`.text
}

function contents(
  groups: readonly { name: string; id: string; entries: readonly DescribedOperation[] }[],
): Html {
  return markup`<ul>
<li><a href="#introduction">Introduction</a></li>
<li><a href="#authentication">Credentials</a></li>
<li><a href="#errors">Errors</a></li>
${groups.map(
  ({ name, id, entries }) =>
    markup`<li><a href="#${id}">${name}</a><ul>${entries.map(
      ({ method, operation }) =>
        markup`<li><a href="#${operation.operationId}"><span class="verb ${method.toLowerCase()}">${short[method] ?? method}</span>${operation.summary}</a></li>`,
    )}</ul></li>`,
)}
<li><a href="#records">Records</a></li>
</ul>`
}

const short: Record<string, string> = { DELETE: 'DEL' }
const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
