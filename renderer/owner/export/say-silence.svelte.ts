import { toast } from '../../ui/toast.ts'
import type { AwaitedAnswers } from '../../api/awaited-answers.svelte.ts'

/** Says in a toast that Galley says nothing, for as long as that is so and the answer is waited for. */
export async function sayingSilence<Answer>(
  answers: AwaitedAnswers,
  ask: () => Promise<Answer>,
  waiting: 'The export' | 'Printing' = 'The export',
): Promise<Answer> {
  const stop = $effect.root(() => {
    $effect(() => {
      if (!answers.isSilent) return
      const said = toast.info('Galley isn’t answering', {
        description: `${waiting} goes on by itself as soon as it does.`,
        duration: Infinity,
      })
      return () => void toast.dismiss(said)
    })
  })
  try {
    return await ask()
  } finally {
    stop()
  }
}
