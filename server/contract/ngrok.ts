import { Type, type Static } from 'typebox'

/** By ngrok, with the secret `ngrok-token`. */
export const NgrokSettings = Type.Object({
  domain: Type.String({
    maxLength: 300,
    description:
      'A name that the ngrok account has reserved. Empty takes the one that ngrok gives, which may be another after each start.',
    examples: ['galley.ngrok.app'],
  }),
})
export type NgrokSettings = Static<typeof NgrokSettings>
