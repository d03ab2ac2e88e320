import { parseTime } from '../core/resources/index.ts';
import { badRequest } from './service-error.ts';

/** The four formats the specification lists, and no other. */
const formats = /^\d{4}-\d{2}-\d{2}(T\d{2}(:\d{2}:\d{2}(\.\d{3})?Z)?)?$/;

/** Milliseconds since 1970 UTC. @throws ServiceError 400 for a text in none of the service's four formats. */
export function parseServiceTime(text: string, name: string): number {
  const result = formats.test(text) ? parseTime(text, 0) : undefined;
  if (result?.kind !== 'time') {
    throw badRequest(
      `Invalid data: #1: [${name}: '${text}' is not a time; use yyyy-MM-dd, yyyy-MM-ddTHH, yyyy-MM-ddTHH:mm:ssZ or yyyy-MM-ddTHH:mm:ss.SSSZ]`,
    );
  }
  return result.time;
}
