/** The command line reads the same comments, so their reader lies in the core. */
export { type Directives, parseDirectives } from '../../../server/core/documents/run-directives.ts';
