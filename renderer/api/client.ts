import { routes, type RouteName } from '../../server/contract/routes.ts'
import { createCaller, type ApiClient as Caller, type ApiClientOptions } from './caller.ts'

export { ApiError, type ApiErrorCode, type CallOptions } from './caller.ts'
export type ApiClient = Caller<RouteName>

/** A typed client of the whole API. */
export const createApiClient = (options: ApiClientOptions = {}): ApiClient => createCaller(routes, options)
