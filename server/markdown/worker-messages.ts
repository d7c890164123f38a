import type { RenderedPoint } from '../contract/records/rendering.ts'
import type { WorkerReply } from '../threads/worker-thread.ts'
import type { Limit, RenderLimits } from './render-limits.ts'
import type { Rendered, RenderedRange, SourceRange } from './rendered.ts'

/** What the renderer asks of its worker, and what it gets back for each. */
export type Job =
  | { kind: 'render'; source: string }
  | { kind: 'plain'; source: string; limit: Limit }
  | { kind: 'sourceRange'; source: string; from: RenderedPoint; to: RenderedPoint }
  | { kind: 'renderedRanges'; source: string; ranges: SourceRange[] }

export interface JobResults {
  render: Rendered
  plain: Rendered
  sourceRange: SourceRange | null
  renderedRanges: (RenderedRange | null)[]
}

export type RenderRequest = Job & { limits: RenderLimits }

export type Result = JobResults[Job['kind']]
export type RenderReply = WorkerReply<Result, Limit>
