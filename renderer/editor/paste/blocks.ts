/** What is pasted, as markdown can say it. */
export type PastedBlock =
  | { kind: 'paragraph'; runs: Run[] }
  | { kind: 'heading'; level: number; runs: Run[] }
  | List
  | { kind: 'quote'; blocks: PastedBlock[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'table'; rows: Run[][][]; align: Align[] }
  | { kind: 'rule' }

export interface List {
  kind: 'list'
  ordered: boolean
  start: number
  /** How deep it says that it is; null where it says nothing. */
  level: number | null
  items: Item[]
}

export type Align = '' | 'left' | 'center' | 'right'

export interface Item {
  /** Of a task: whether it is done. */
  done: boolean | null
  blocks: PastedBlock[]
}

export interface Marks {
  strong?: boolean
  emphasis?: boolean
  strike?: boolean
  code?: boolean
  href?: string
}

export type Run = { kind: 'text'; text: string; marks: Marks } | { kind: 'break' } | Picture | Formula
interface Picture {
  kind: 'image'
  src: string
  alt: string
  marks: Marks
}
interface Formula {
  kind: 'maths'
  tex: string
  marks: Marks
}
