// What the server uses. `renderMarkdown` (render.ts) and `loadParts` (parts.ts) do the same on the caller's own
// thread, in browsers too; they aren't passed on here because the server would load the whole renderer to start.
export { createRenderer, type Found, type MarkdownRenderer, type RendererOptions } from './renderer.ts'
export type {
  Heading,
  Limit,
  Rendered,
  RenderedPoint,
  RenderedRange,
  RenderLimits,
  SourceRange,
} from './rendered.ts'
