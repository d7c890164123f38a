import { toast } from '../ui/toast.ts'
import type { AwaitedAnswers } from '../api/awaited-answers.svelte.ts'

/** What says that something waits, and for how many: one toast says it for all that do the same. */
const said = new Map<string, { id: string | number; count: number }>()

/**
 * Says in a toast that Galley says nothing, for as long as that is so and the answer is waited for.
 * @param waiting what goes on by itself then
 * @param done what is said once it is done after that, where nothing else says so
 */
export async function sayingSilence<Answer>(
  answers: Pick<AwaitedAnswers, 'isSilent'>,
  ask: () => Promise<Answer>,
  waiting = 'The export',
  done?: string,
): Promise<Answer> {
  let isSaid = false
  const stop = $effect.root(() => {
    $effect(() => {
      if (!answers.isSilent) return
      isSaid = true
      return say(waiting)
    })
  })
  try {
    const answer = await ask()
    if (isSaid && done !== undefined) toast.success(done)
    return answer
  } finally {
    stop()
  }
}

/** Returns what takes it back. */
function say(waiting: string): () => void {
  const description = `${waiting} goes on by itself as soon as it does.`
  const one = said.get(waiting) ?? {
    id: toast.info('Galley isn’t answering', { description, duration: Infinity }),
    count: 0,
  }
  one.count++
  said.set(waiting, one)
  return () => {
    if (--one.count > 0) return
    said.delete(waiting)
    toast.dismiss(one.id)
  }
}
