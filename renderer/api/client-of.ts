// The client that the command line has, too.
export * from '../../server/contract/client-of.ts'
