/** How many connections there are at one time, and what they may send. */
export const liveLimits = {
  /** Of a message; what is larger is sent by HTTP. */
  messageBytes: 16 * 1024,
  /** Of who follows no text, and of who does: ten changes and ten places a second, and room for more at times. */
  messagesPerMinute: 30,
  /** At once, so that a flood is ended before others wait for it. */
  messagesPerSecond: 200,
  followersMessagesPerMinute: 2_400,
  /**
   * On all connections of one visitor by one link, and of one link, those that came and went among them: so many messages
   * a second, and so many connections begun a minute. To follow a text counts as several: it is answered with all changes
   * since.
   */
  visitorMessagesPerSecond: 400,
  linkMessagesPerSecond: 2_000,
  followCounts: 10,
  visitorOpensPerMinute: 120,
  linkOpensPerMinute: 600,
  /**
   * Connections at one time: of one visitor by one link; by one link; in all, from where on no link gets more; and in
   * all. Those who come by a link take the place of the oldest connection of whoever has the most.
   */
  perVisitor: 20,
  perLink: 100,
  forLinks: 900,
  inAll: 1_000,
} as const
