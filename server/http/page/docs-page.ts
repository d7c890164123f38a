/** A readable page of the API's description. */
export const docsPage = (openApi: object, _view: { style: string }): string =>
  `<!doctype html><title>API</title><pre>${JSON.stringify(openApi).replaceAll('<', '&lt;')}</pre>`
