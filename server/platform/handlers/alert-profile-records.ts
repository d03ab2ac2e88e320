import { builtInProfiles, type FullProfile } from '../built-in/alert-profiles.ts';
import type { AccountContext } from '../context.ts';
import { badRequest, notFound } from '../service-error.ts';
import type { StoredProfile, StoredTemplate } from '../state/account-state.ts';

/** Every profile of an account with what it inherits: the vendor's first. */
export function allProfiles(context: AccountContext): readonly FullProfile[] {
  const vendor = builtInProfiles(context.settings);
  const own = Object.values(context.account.state.alertProfiles).map((profile) => resolve(profile, context, new Set()));
  return [...vendor, ...own];
}

/** One profile with what it inherits; undefined when there is none. */
export function findProfile(context: AccountContext, alertProfileId: string): FullProfile | undefined {
  const own = ownProfile(context, alertProfileId);
  if (own !== undefined) return resolve(own, context, new Set());
  return builtInProfiles(context.settings).find((profile) => profile.alertProfileId === alertProfileId);
}

/** @throws ServiceError 404 */
export function requireProfile(context: AccountContext, alertProfileId: string): FullProfile {
  const profile = findProfile(context, alertProfileId);
  if (profile === undefined) throw notFound(`Alert profile ${alertProfileId} not found`);
  return profile;
}

export function ownProfile(context: AccountContext, alertProfileId: string): StoredProfile | undefined {
  const { alertProfiles } = context.account.state;
  return Object.hasOwn(alertProfiles, alertProfileId) ? alertProfiles[alertProfileId] : undefined;
}

/** The parent's data with the profile's own templates over those of the same name. A circle of parents ends at itself. */
function resolve(profile: StoredProfile, context: AccountContext, seen: Set<string>): FullProfile {
  seen.add(profile.alertProfileId);
  const ownParent = ownProfile(context, profile.extends);
  const parent =
    ownParent !== undefined && !seen.has(profile.extends)
      ? resolve(ownParent, context, seen)
      : builtInProfiles(context.settings).find((candidate) => candidate.alertProfileId === profile.extends);
  const own = new Set(profile.alerts.map((template) => template.name));
  return {
    alertProfileId: profile.alertProfileId,
    extends: profile.extends,
    fields: parent?.fields ?? [],
    descriptionKeys: parent?.descriptionKeys ?? [],
    alerts: [...profile.alerts, ...(parent?.alerts ?? []).filter((template) => !own.has(template.name))],
  };
}

/** @throws ServiceError 400 when a template mentions what its profile does not offer. */
export function checkPlaceholders(template: Partial<StoredTemplate>, profile: FullProfile): void {
  const keys = new Set(profile.descriptionKeys.map((entry) => entry.name));
  for (const field of ['description', 'subject'] as const) {
    for (const [, name = ''] of (template[field] ?? '').matchAll(/\{\{([^{}]*)\}\}/g)) {
      if (keys.has(name.trim())) continue;
      throw badRequest(
        `Invalid data: #1: [${field}: the key '${name}' is not in the descriptionKeys of ${profile.alertProfileId}. Valid keys are [${[...keys].join(', ')}]]`,
      );
    }
  }
}

/** The template that words the alerts of a policy: `profile.template`, or a profile whose first template is meant. */
export function findTemplate(
  context: AccountContext,
  alertProfile: string,
): { readonly profile: FullProfile; readonly template: StoredTemplate } | undefined {
  const whole = findProfile(context, alertProfile);
  if (whole !== undefined) {
    const [template] = whole.alerts;
    return template === undefined ? undefined : { profile: whole, template };
  }
  const dot = alertProfile.lastIndexOf('.');
  const profile = dot < 0 ? undefined : findProfile(context, alertProfile.slice(0, dot));
  const template = profile?.alerts.find((candidate) => candidate.name === alertProfile.slice(dot + 1));
  return profile === undefined || template === undefined ? undefined : { profile, template };
}
