import { ApiError } from './transport/errors.ts';

/**
 * The origin of an account's service from what a person typed: `acme` cannot be known to be complete, so a host name or an URL is asked for.
 * TLS is required, but for this computer itself.
 */
export function parseOrigin(text: string): URL {
  const trimmed = text.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === '' || !URL.canParse(withScheme)) throw invalid(`'${trimmed}' is not the address of a service.`);
  const url = new URL(withScheme);
  if (url.username !== '' || url.password !== '')
    throw invalid('The address of the service must not hold credentials.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(`The address of the service must start with https://, not ${url.protocol}//.`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(`'${url.host}' is asked for over http, which would show the credentials to the network. Use https.`);
  }
  return new URL(url.origin);
}

/** Whether a host name is this computer. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

function invalid(problem: string): ApiError {
  return new ApiError({ kind: 'invalid-call', problem });
}
