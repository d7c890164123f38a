// What the server uses. `renderMarkdown` (render.ts) and `loadParts` (code-and-maths.ts) do the same on whoever calls's own
// thread, in browsers too; they aren't passed on here because the server would load the whole renderer to start.
export { createRenderer, type MarkdownRenderer } from './renderer.ts'
export type { Rendered } from './rendered.ts'
