import type { Handlers } from '../../api/endpoints/index.ts';
import { baseProfileId, type FullProfile } from '../built-in/alert-profiles.ts';
import { commit, type RequestContext } from '../context.ts';
import { badRequest, conflict, forbidden, notFound } from '../service-error.ts';
import type { StoredProfile, StoredTemplate } from '../state/account-state.ts';
import { allProfiles, checkPlaceholders, findProfile, ownProfile, requireProfile } from './alert-profile-records.ts';
import { allPolicies } from './policy-records.ts';

export const alertProfileHandlers: Handlers<RequestContext>['alertProfiles'] = {
  list: (_, context) => ({ data: [...allProfiles(context)] }),
  get: ({ params }, context) => ({ data: requireProfile(context, params.alertProfileId) }),
  create({ body }, context) {
    const { settings, account } = context;
    const reserved = `${settings.vendorPrefix}_`;
    if (body.alertProfileId.startsWith(reserved)) {
      throw badRequest(`Alert profile ids that begin with ${reserved} are reserved. Choose another id.`);
    }
    if (findProfile(context, body.alertProfileId) !== undefined) {
      throw conflict(`Alert profile ${body.alertProfileId} already exists`);
    }
    if (body.extends === baseProfileId(settings.vendorPrefix)) {
      throw badRequest(
        `The profile ${body.extends} must not be extended: it has no alerts. Extend one of its children.`,
      );
    }
    const parent = findProfile(context, body.extends);
    if (parent === undefined)
      throw badRequest(`Invalid data: #1: [extends: there is no alert profile ${body.extends}]`);
    for (const template of body.alerts) checkPlaceholders(template, parent);
    refuseDuplicates(body.alerts);
    const profile: StoredProfile = {
      alertProfileId: body.alertProfileId,
      extends: body.extends,
      alerts: body.alerts.map((template) => ({ ...template })),
    };
    account.state.alertProfiles[profile.alertProfileId] = profile;
    commit(context, 'AlertProfile', 'CREATE', `Alert profile ${profile.alertProfileId} was created.`);
    return { data: requireProfile(context, profile.alertProfileId) };
  },
  update({ params, body }, context) {
    const profile = requireOwn(context, params.alertProfileId);
    const full = requireProfile(context, params.alertProfileId);
    for (const template of body.alerts) checkPlaceholders(template, full);
    refuseDuplicates(body.alerts);
    profile.alerts = body.alerts.map((template) => ({ ...template }));
    commit(context, 'AlertProfile', 'UPDATE', `Alert profile ${params.alertProfileId} was changed.`);
    return { data: requireProfile(context, params.alertProfileId) };
  },
  delete({ params }, context) {
    const { alertProfileId } = params;
    requireOwn(context, alertProfileId);
    const users = [
      ...allPolicies(context)
        .filter(({ alertProfile }) => alertProfile === alertProfileId || alertProfile?.startsWith(`${alertProfileId}.`))
        .map((policy) => policy.policyId),
      ...Object.values(context.account.state.alertProfiles)
        .filter((profile) => profile.extends === alertProfileId)
        .map((profile) => profile.alertProfileId),
    ];
    if (users.length > 0) throw conflict(`Alert profile ${alertProfileId} is used by ${users.join(', ')}`);
    delete context.account.state.alertProfiles[alertProfileId];
    commit(context, 'AlertProfile', 'DELETE', `Alert profile ${alertProfileId} was deleted.`);
    return undefined;
  },
  createTemplate({ params, body }, context) {
    const profile = requireOwn(context, params.alertProfileId);
    checkPlaceholders(body, requireProfile(context, params.alertProfileId));
    const template: StoredTemplate = { ...body };
    // The name of an existing template, own or inherited, means that this one takes its place.
    profile.alerts = [...profile.alerts.filter((candidate) => candidate.name !== template.name), template];
    commit(context, 'AlertTemplate', 'CREATE', `Template ${template.name} of ${params.alertProfileId} was created.`);
    return templateAnswer(template, params.alertProfileId, context);
  },
  updateTemplate({ params, body }, context) {
    const profile = requireOwn(context, params.alertProfileId);
    const template = requireOwnTemplate(profile, params.alertTemplateName);
    checkPlaceholders(body, requireProfile(context, params.alertProfileId));
    Object.assign(template, body);
    commit(context, 'AlertTemplate', 'UPDATE', `Template ${template.name} of ${params.alertProfileId} was changed.`);
    return templateAnswer(template, params.alertProfileId, context);
  },
  deleteTemplate({ params }, context) {
    const profile = requireOwn(context, params.alertProfileId);
    const template = requireOwnTemplate(profile, params.alertTemplateName);
    profile.alerts = profile.alerts.filter((candidate) => candidate !== template);
    commit(context, 'AlertTemplate', 'DELETE', `Template ${template.name} of ${params.alertProfileId} was deleted.`);
    return undefined;
  },
};

function templateAnswer(
  template: StoredTemplate,
  alertProfileId: string,
  context: RequestContext,
): { data: StoredTemplate | FullProfile } {
  const whole = context.settings.switches['template-answers'] === 'profile';
  return { data: whole ? requireProfile(context, alertProfileId) : template };
}

function requireOwn(context: RequestContext, alertProfileId: string): StoredProfile {
  const own = ownProfile(context, alertProfileId);
  if (own !== undefined) return own;
  requireProfile(context, alertProfileId);
  throw forbidden(
    `Alert profile ${alertProfileId} belongs to the vendor and cannot be changed. Extend it with one of your own.`,
  );
}

function requireOwnTemplate(profile: StoredProfile, name: string): StoredTemplate {
  const template = profile.alerts.find((candidate) => candidate.name === name);
  if (template === undefined) throw notFound(`Alert template ${name} not found in ${profile.alertProfileId}`);
  return template;
}

function refuseDuplicates(templates: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  for (const { name } of templates) {
    if (names.has(name)) throw badRequest(`Invalid data: #1: [alerts: the template name ${name} appears twice]`);
    names.add(name);
  }
}
