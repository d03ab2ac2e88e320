/** What the service answers when it cannot do what was asked: a status and a text for people, sent as `{message}`. */
export class ServiceError extends Error {
  readonly status: ErrorStatus;
  readonly headers: { readonly [name: string]: string };

  constructor(status: ErrorStatus, message: string, headers: { readonly [name: string]: string } = {}) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.headers = headers;
  }
}

/** The statuses the specification lists for failures. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 503;

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, message);
}

export function notFound(message: string): ServiceError {
  return new ServiceError(404, message);
}

export function conflict(message: string): ServiceError {
  return new ServiceError(409, message);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError(403, message);
}
