import { badRequest, ServiceError } from '../service-error.ts';

/** Bytes a request body may have. */
const maxBodyBytes = 1_048_576;

/**
 * Reads a request's body as JSON; undefined when there is none.
 * @throws ServiceError 400 for one that is too large, no JSON, or cut off.
 */
export async function readBody(request: Request): Promise<unknown> {
  if (request.body === null) return undefined;
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw badRequest('The request ended before its body was complete.');
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks, size).toString('utf8'));
  } catch {
    throw badRequest('Invalid data: the request body is not JSON');
  }
}

function tooLarge(): Error {
  return badRequest(`The request body is larger than 1 MB (${maxBodyBytes} bytes)`);
}
