/** What JavaScript itself, Node’s inspector and EventEmitter look for on any object. */
const looked = new Set(['then', 'toJSON', 'constructor', 'inspect', 'domain', 'nodeType', 'asymmetricMatch'])

/** The object, except that a member it lacks throws by name instead of being undefined. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    set: (object, key, value) => Reflect.set(object, key, value, object),
    get(object, key) {
      if (key in object || typeof key === 'symbol' || looked.has(key) || key.startsWith('_')) {
        const value: unknown = Reflect.get(object, key, object)
        // Private fields are the object's own, not the proxy's.
        return typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))
          ? bound(object, key, value)
          : value
      }
      throw new Error(`the fake has no ${name}.${key}; add it to e2e/fake-electron if the app needs it`)
    },
  })
}

const known = new WeakMap<object, Map<PropertyKey, { of: unknown; bound: unknown }>>()

/** Always the same function for the same method, so that listeners can be compared. */
function bound(object: object, key: PropertyKey, method: unknown): unknown {
  const methods = known.get(object) ?? new Map<PropertyKey, { of: unknown; bound: unknown }>()
  known.set(object, methods)
  const found = methods.get(key)
  if (found && found.of === method) return found.bound
  const made: unknown = (method as { bind(to: object): unknown }).bind(object)
  methods.set(key, { of: method, bound: made })
  return made
}
