import type { AlertProfileRecord } from '../core/resources/index.ts';
import type { ApiClient, CallSettings } from './client.ts';
import { endpoints } from './endpoints/index.ts';
import { ApiError } from './transport/errors.ts';

/** Alert profiles of an account, as many as can be known. */
export interface AlertProfileList {
  readonly profiles: readonly AlertProfileRecord[];
  /** False when the service has no list of profiles: then only those are known that policies or the caller name. */
  readonly complete: boolean;
}

/**
 * The alert profiles of an account. The specification has no list of them, only the real service does; where it is missing, the profiles that
 * policies send their alerts to, and those in `knownIds` (from files, say), are read one by one, with the ones they extend.
 */
export async function listAlertProfiles(
  client: ApiClient,
  knownIds: readonly string[],
  settings: CallSettings = {},
): Promise<AlertProfileList> {
  try {
    const { data } = await client.call(endpoints.alertProfiles.list, settings);
    return { profiles: data, complete: true };
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.kind !== 'not-offered') throw error;
  }
  const policies = await client.call(endpoints.policies.list, settings);
  const waiting = [...knownIds, ...policies.data.flatMap(({ alertProfile }) => profileIdOf(alertProfile))];
  const profiles = new Map<string, AlertProfileRecord | undefined>();
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (profiles.has(id)) continue;
    const profile = await readProfile(client, id, settings);
    profiles.set(id, profile);
    if (profile?.extends) waiting.push(profile.extends);
  }
  return { profiles: [...profiles.values()].filter((profile) => profile !== undefined), complete: false };
}

/** The profile in a policy's `alertProfile`, which reads `profile.template` or names the profile alone. */
function profileIdOf(alertProfile: string | null | undefined): string[] {
  const id = alertProfile?.split('.')[0];
  return id === undefined || id === '' ? [] : [id];
}

async function readProfile(
  client: ApiClient,
  alertProfileId: string,
  settings: CallSettings,
): Promise<AlertProfileRecord | undefined> {
  try {
    return (await client.call(endpoints.alertProfiles.get, { ...settings, params: { alertProfileId } })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
