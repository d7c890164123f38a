import type {
  TunnelChange,
  ProviderName,
  TunnelSettings,
  TunnelStatus,
} from '../../../server/contract/tunnel.ts'

type SettableSecret = keyof NonNullable<TunnelChange['secrets']>
/** The secret that each provider takes, where it takes one. */
const secretOf: { readonly [Name in ProviderName]?: SettableSecret } = {
  cloudflared: 'cloudflared-token',
  ngrok: 'ngrok-token',
}

type Typed = { [Name in ProviderName]?: Partial<TunnelSettings[Name]> }

/** What was chosen and typed but isn't in use yet, over what is. */
export class TunnelDraft {
  #chosen = $state<ProviderName | null>(null)
  #typed = $state.raw<Typed>({})
  #secrets = $state.raw<{ [Name in ProviderName]?: string }>({})

  /** The provider that is shown. */
  provider(status: TunnelStatus): ProviderName {
    return this.#chosen ?? status.provider
  }

  choose(provider: ProviderName): void {
    this.#chosen = provider
  }

  settings<Name extends ProviderName>(name: Name, status: TunnelStatus): TunnelSettings[Name] {
    return { ...status.settings[name], ...this.#typed[name] }
  }

  type<Name extends ProviderName>(name: Name, typed: Partial<TunnelSettings[Name]>): void {
    this.#typed = { ...this.#typed, [name]: { ...this.#typed[name], ...typed } }
  }

  /** The secret that was typed and isn't kept yet. */
  secret(name: ProviderName): string {
    return this.#secrets[name] ?? ''
  }

  typeSecret(name: ProviderName, typed: string): void {
    this.#secrets = { ...this.#secrets, [name]: typed }
  }

  /** Whether something else is shown than what is in use. */
  differs(status: TunnelStatus): boolean {
    const name = this.provider(status)
    const kept: Record<string, unknown> = { ...status.settings[name] }
    const typed: Record<string, unknown> = { ...this.#typed[name] }
    return (
      name !== status.provider ||
      this.secret(name).trim() !== '' ||
      Object.keys(typed).some((field) => !isSame(typed[field], kept[field]))
    )
  }

  /** What makes that which is shown be in use. */
  change(status: TunnelStatus): TunnelChange {
    const name = this.provider(status)
    const [secret, typed] = [secretOf[name], this.secret(name).trim()]
    return {
      provider: name,
      ...(this.#typed[name] ? { [name]: this.#typed[name] } : {}),
      ...(secret !== undefined && typed !== '' ? { secrets: { [secret]: typed } } : {}),
    }
  }

  /** What was typed for `name` is in use now. */
  taken(name: ProviderName): void {
    const { [name]: _taken, ...others } = this.#typed
    this.#typed = others
    this.#chosen = null
    this.typeSecret(name, '')
  }
}

const isSame = (typed: unknown, kept: unknown) =>
  typeof typed === 'string' ? typed.trim() === kept : typed === kept
