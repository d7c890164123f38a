import { fieldList, fieldTable, inline, prose } from './docs-parts.ts'
import { markup, type Html } from './markup.ts'
import {
  recordOf,
  resolve,
  typeOf,
  type Media,
  type OpenApi,
  type Operation,
  type Parameter,
} from './openapi-schema.ts'

/** An operation and where it is. */
export interface DescribedOperation {
  method: string
  path: string
  operation: Operation
}

/** One route: what it does and takes and gives, and beside it how to call it. */
export function operationArticle({ method, path, operation }: DescribedOperation, api: OpenApi): Html {
  const body = operation.requestBody?.content['application/json']
  const [okStatus, ok] = Object.entries(operation.responses).find(([status]) => status < '3') ?? []
  const answer = ok?.content?.['application/json']
  const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 300)
  return markup`<article class="route" id="${operation.operationId}">
<div class="words">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="path"><span class="verb ${method.toLowerCase()}">${method}</span> <code>${pathMarkup(path)}</code></p>
${operation.description !== undefined && prose(operation.description)}
<p class="principals">${principals(operation)}</p>
${parameterSection('Path', 'path', operation, api)}
${parameterSection('Query', 'query', operation, api)}
${parameterSection('Headers', 'header', operation, api)}
${body?.schema && markup`<h4>Body</h4>${fieldList(body.schema, api, 'fields of the body')}`}
<h4>Answer</h4>
${answerSection(okStatus ?? '200', answer, ok?.content, api)}
<details class="errors"><summary>Errors</summary>
<dl class="fields">${errors.map(([status, { description }]) => markup`<div><dt><code>${status}</code></dt><dd>${prose(description)}</dd></div>`)}</dl>
</details>
</div>
<div class="examples">
<p class="example-title">Request</p>
<pre class="code" tabindex="0"><code>${curl(method, path, operation, body)}</code></pre>
${
  answer?.example !== undefined &&
  markup`<p class="example-title">Answer</p>
<pre class="code" tabindex="0"><code>${JSON.stringify(answer.example, null, 2)}</code></pre>`
}
</div>
</article>`
}

function answerSection(
  status: string,
  answer: Media | undefined,
  content: object | undefined,
  api: OpenApi,
): Html {
  if (status === '101') return markup`<p>101, and a WebSocket connection.</p>`
  if (!answer?.schema) return markup`<p>${status}, a file: ${Object.keys(content ?? {}).join(' or ')}.</p>`
  const data = resolve(answer.schema, api).properties?.data
  if (!data) return markup`<p>${status}, without the envelope.</p>`
  const record = recordOf(data)
  if (record !== null) {
    const [before, after] = typeOf(data).split(record)
    return markup`<p>${status}; <code>data</code> is ${before ? `a ${before}` : 'a '}<a href="#record-${record}">${record}</a>${after}.</p>`
  }
  const inner = resolve(data.items ?? data, api)
  return markup`<p>${status}; <code>data</code> is ${data.items ? 'a list of objects' : 'an object'}:</p>
${fieldList(inner, api, 'fields of the answer')}`
}

function parameterSection(
  title: string,
  place: Parameter['in'],
  operation: Operation,
  api: OpenApi,
): Html | null {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return null
  return markup`<h4>${title}</h4>${fieldTable(
    parameters.map(({ name, schema, required = false, description }) => ({
      name,
      schema,
      required,
      description,
    })),
    api,
    `${title} parameters`,
  )}`
}

const principalNames: Record<string, string> = {
  apiKey: 'API key',
  session: 'session',
  shareToken: 'share token',
  shareTokenHeader: 'share token',
}

function principals({ security = [] }: Operation): Html {
  const schemes = security.flatMap((one) => Object.keys(one))
  const names = [...new Set(schemes.map((name) => principalNames[name] ?? name))]
  return names.length === 0
    ? markup`No credentials needed.`
    : markup`Works with ${names.map((name, i) => markup`${i === 0 ? '' : i === names.length - 1 ? ' or ' : ', '}<span class="principal">${name}</span>`)}.`
}

/** A path in which each parameter stands out, and which may break after its slashes. */
const pathMarkup = (path: string): Html =>
  markup`${path
    .split(/(\{\w+\}|\/)/)
    .filter(Boolean)
    .map((part) =>
      part === '/' ? markup`/<wbr>` : part.startsWith('{') ? markup`<var>${part}</var>` : inline(part),
    )}`

function curl(method: string, path: string, operation: Operation, body: Media | undefined): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(operation.parameters?.find((one) => one.name === name)?.schema.examples?.[0] ?? name),
  )
  const query = (operation.parameters ?? [])
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${String(one.schema.examples?.[0] ?? '')}`)
    .join('&')
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} "$GALLEY${filled}${query && `?${query}`}"`]
  if (operation.security?.length) lines.push(`-H "Authorization: Bearer $GALLEY_KEY"`)
  if (body) {
    lines.push(`-H "Content-Type: application/json"`)
    const json = JSON.stringify(body.example ?? {}, null, 2).replaceAll("'", "'\\''")
    lines.push(`-d '${json}'`)
  }
  return lines.join(' \\\n  ')
}
