/** How one is in an open text: reading it, making suggestions of what one types, or writing in it. */
export type Way = 'viewing' | 'suggesting' | 'editing'
