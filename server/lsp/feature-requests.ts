import { registerCodeActionRequests } from './code-action-requests.ts';
import { registerCompletionRequests } from './completion-requests.ts';
import { registerExplanationRequests } from './explanation-requests.ts';
import { registerFormatRequests } from './format-requests.ts';
import { registerOutlineRequests } from './outline-requests.ts';
import { registerReferenceRequests } from './reference-requests.ts';
import { createRequestContext, type RequestServices } from './request-context.ts';

/** Answers the requests about places and ranges in documents. */
export function registerFeatureRequests(services: RequestServices): void {
  const context = createRequestContext(services);
  registerCompletionRequests(context);
  registerExplanationRequests(context);
  registerReferenceRequests(context);
  registerOutlineRequests(context);
  registerCodeActionRequests(context);
  registerFormatRequests(context);
}
