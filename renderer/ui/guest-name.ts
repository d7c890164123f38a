/** Whether a guest’s name doesn’t say so itself: by it alone they might be anybody, the owner too. */
export const needsGuestSign = (name: string): boolean => name.trim() !== 'Guest'

/** A guest’s name within a sentence. */
export const guestInWords = (name: string): string => (needsGuestSign(name) ? `${name} (guest)` : name)

/** Names are others’ words, in whichever direction: none turns what stands around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`
