import ts from 'typescript'

/** What the compiler says against a file and all that it imports. */
export function problemsOf(file: string): string[] {
  const program = ts.createProgram([file], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  })
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at }) => {
    return `${at?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}
