import type { Handlers } from '../../api/endpoints/index.ts';
import { secretHeaderName } from '../../core/resources/index.ts';
import type { RequestContext } from '../context.ts';
import { badRequest, ServiceError } from '../service-error.ts';

export const tokenHandlers: Handlers<RequestContext>['tokens'] = {
  create({ body }, { secret, settings, tokens, now }) {
    if (secret === undefined || secret === '') {
      throw badRequest(`Access Key is null. Send the secret in the header ${secretHeaderName(settings.vendorPrefix)}.`);
    }
    const issued = tokens.issue(body.keyId, secret, body.expiryTime, now);
    if (issued === undefined)
      throw new ServiceError(401, 'The key id or the secret is not valid, or the key is disabled.');
    return { token: issued.token, expiresAt: new Date(issued.expiresAt).toISOString() };
  },
};
