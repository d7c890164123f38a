import { Annotation } from '@codemirror/state'

/** Marks a change that wasn’t typed here. */
export const fromElsewhere = Annotation.define<boolean>()
