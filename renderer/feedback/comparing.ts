/** What compares texts for cards, and draws how they differ: fetched once there is something to compare. */
export { drawnAround } from './drawn-change.ts'
export { default as LookedDifference } from './LookedDifference.svelte'
