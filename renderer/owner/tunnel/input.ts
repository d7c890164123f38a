/** Of fields whose words are no prose. */
export const plain = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const

type InputEvent = Event & { currentTarget: HTMLInputElement }

/** What hears a text field, and tells what stands in it. */
export const input = (tell: (value: string) => void) => (event: InputEvent) => tell(event.currentTarget.value)

/** The same for a whole number; what is none yet isn't told. */
export const numberInput = (tell: (value: number) => void) => (event: InputEvent) => {
  const { valueAsNumber: value } = event.currentTarget
  if (Number.isInteger(value)) tell(value)
}
