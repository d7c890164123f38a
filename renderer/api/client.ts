import { routes, type RouteName } from '../../server/contract/routes.ts'
import { createClientOf, type ClientOf, type ApiClientOptions } from './client-of.ts'

export { ApiError } from './client-of.ts'
export type ApiClient = ClientOf<RouteName>

/** A typed client of the whole API. */
export const createApiClient = (options: ApiClientOptions = {}): ApiClient => createClientOf(routes, options)
