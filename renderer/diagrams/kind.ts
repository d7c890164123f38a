/** What a diagram is called where it has no words of its own. By how its source begins. */
const kinds: readonly [RegExp, string][] = [
  [/^(?:graph|flowchart)\b/, 'Flowchart'],
  [/^sequenceDiagram/, 'Sequence diagram'],
  [/^classDiagram/, 'Class diagram'],
  [/^stateDiagram/, 'State diagram'],
  [/^erDiagram/, 'Entity relationship diagram'],
  [/^gantt/, 'Gantt chart'],
  [/^pie\b/, 'Pie chart'],
  [/^journey/, 'User journey'],
  [/^gitGraph/, 'Git graph'],
  [/^mindmap/, 'Mind map'],
  [/^timeline/, 'Timeline'],
  [/^quadrantChart/, 'Quadrant chart'],
  [/^requirementDiagram/, 'Requirement diagram'],
  [/^C4/, 'C4 diagram'],
  [/^sankey/, 'Sankey diagram'],
  [/^xychart/, 'Chart'],
  [/^(?:block|packet|architecture)/, 'Block diagram'],
  [/^kanban/, 'Kanban board'],
]

/** The kind of a diagram as people call it. */
export function kindOf(source: string): string {
  const start = source
    // What may stand before it: settings, and comments.
    .replace(/^\s*---\n[\s\S]*?\n---\s*\n/, '')
    .replace(/^(?:\s*%%[^\n]*(?:\n|$))+/, '')
    .trimStart()
  return kinds.find(([pattern]) => pattern.test(start))?.[1] ?? 'Diagram'
}
