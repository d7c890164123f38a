export { loadParts, type Parts } from './parts.ts'
export { renderMarkdown } from './render.ts'
export { createRenderer, type MarkdownRenderer, type RendererOptions } from './renderer.ts'
export type {
  Heading,
  Limit,
  Rendered,
  RenderedPoint,
  RenderedRange,
  RenderLimits,
  SourceRange,
} from './rendered.ts'
