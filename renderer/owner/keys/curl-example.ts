/** A command that tries a key out: it lists the newest documents. */
export function curlExample(origin: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" \\\n  "${origin}/api/documents?limit=5"`
}
