import { escapeText, markup, trusted, type Html } from './markup.ts'
import { recordOf, resolve, rulesOf, typeOf, type OpenApi, type Schema } from './openapi-schema.ts'

/** Paragraphs of text in which `code` and **strong** are marked as in markdown. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\n+/).filter((paragraph) => paragraph.trim())
  return markup`${paragraphs.map((paragraph) => markup`<p>${inline(paragraph)}</p>`)}`
}

export function inline(text: string): Html {
  return trusted(
    escapeText(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  )
}

interface Field {
  name: string
  schema: Schema
  required: boolean
  description?: string | undefined
}

/** The fields of an object, each with its type, its limits and what it means; none for anything else. */
export function fieldList(schema: Schema, api: OpenApi, label: string): Html | null {
  const { properties, required = [] } = resolve(schema, api)
  if (!properties) return null
  return fieldTable(
    Object.entries(properties).map(([name, field]) => ({
      name,
      schema: field,
      required: required.includes(name),
    })),
    api,
    label,
  )
}

export function fieldTable(fields: readonly Field[], api: OpenApi, label: string): Html {
  return markup`<dl class="fields" aria-label="${label}">${fields.map(
    ({ name, schema, required, description }) => {
      const rules = rulesOf(schema)
      const meaning = description ?? schema.description ?? resolve(schema, api).description
      const record = recordOf(schema)
      const nested = record === null ? nestedFields(schema, api, name) : null
      return markup`<div>
<dt><code>${name}</code> <span class="type">${record === null ? typeOf(schema) : linked(typeOf(schema), record)}</span>${required ? '' : markup` <span class="optional">optional</span>`}</dt>
<dd>${meaning !== undefined && prose(meaning)}${rules.length > 0 && markup`<p class="rules">${inline(rules.join(' · '))}</p>`}${nested}</dd>
</div>`
    },
  )}</dl>`
}

function nestedFields(schema: Schema, api: OpenApi, name: string): Html | null {
  const inner = resolve(schema.items ?? schema, api)
  return inner.properties ? fieldList(inner, api, `fields of ${name}`) : null
}

/** A type’s words with the record’s name leading to the record. */
function linked(type: string, record: string): Html {
  const [before, after] = type.split(record)
  return markup`${before}<a href="#record-${record}">${record}</a>${after}`
}
