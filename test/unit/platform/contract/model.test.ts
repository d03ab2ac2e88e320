import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createClock, signIn } from '../signed-in.ts';

/**
 * Random sequences of operations on content against a small model of the rules: what exists, who uses whom, which status comes. The model
 * knows nothing of how the platform keeps anything.
 */
const sequences = process.env['DEEP'] ? 1_000 : 60;
const stepsEach = 55;
const seed = Number(process.env['SEED'] ?? 7);

const texts = [
  '{ source { CloudTrailRawEvents } return { INSERT_ID } }',
  '{ source { SVC_CFG_AWS_S3 } return { ARN as RESOURCE_KEY } }',
] as const;
const parentId = 'SVC_CFG_AWS_DEFAULT_PROFILE';
const inheritedTemplates = ['CFG_AWS_NewViolation', 'CFG_AWS_PolicyChanged', 'CFG_AWS_Violation'];

interface Model {
  readonly queries: Map<string, string>;
  readonly policies: Map<
    string,
    { queryId: string; alertProfile: string | undefined; enabled: boolean; severity: string }
  >;
  readonly profiles: Map<string, { extends: string; templates: Map<string, string> }>;
  readonly exceptions: Map<string, Map<string, string>>;
}

type Operation =
  | { readonly kind: 'createQuery' | 'updateQuery'; readonly query: number; readonly text: number }
  | { readonly kind: 'deleteQuery' | 'getQuery'; readonly query: number }
  | { readonly kind: 'createPolicy'; readonly policy: number; readonly query: number; readonly profile: number | null }
  | {
      readonly kind: 'updatePolicy';
      readonly policy: number;
      readonly enabled: boolean;
      readonly severity: 'low' | 'high';
      readonly query: number | null;
    }
  | { readonly kind: 'deletePolicy' | 'getPolicy'; readonly policy: number }
  | { readonly kind: 'createProfile'; readonly profile: number; readonly parent: number | null }
  | { readonly kind: 'deleteProfile' | 'getProfile'; readonly profile: number }
  | {
      readonly kind: 'putTemplate' | 'changeTemplate' | 'deleteTemplate';
      readonly profile: number;
      readonly template: number;
      readonly subject: string;
    }
  | { readonly kind: 'createException'; readonly policy: number; readonly text: string }
  | {
      readonly kind: 'updateException' | 'deleteException';
      readonly policy: number;
      readonly exception: number;
      readonly text: string;
    }
  | { readonly kind: 'listAll' };

const small = fc.nat(2);
const optional = fc.option(small);
const text = fc.constantFrom('one', 'two', 'three');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  // Things have to be there for most of the rules to show: they are made more often than taken away.
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('createQuery' as const, 'updateQuery' as const),
      query: small,
      text: fc.nat(1),
    }),
  },
  fc.record({ kind: fc.constantFrom('deleteQuery' as const, 'getQuery' as const), query: small }),
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('createPolicy' as const),
      policy: small,
      query: small,
      profile: optional,
    }),
  },
  fc.record({
    kind: fc.constant('updatePolicy' as const),
    policy: small,
    enabled: fc.boolean(),
    severity: fc.constantFrom('low' as const, 'high' as const),
    query: optional,
  }),
  fc.record({ kind: fc.constantFrom('deletePolicy' as const, 'getPolicy' as const), policy: small }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('createProfile' as const), profile: small, parent: optional }),
  },
  fc.record({ kind: fc.constantFrom('deleteProfile' as const, 'getProfile' as const), profile: small }),
  fc.record({
    kind: fc.constantFrom('putTemplate' as const, 'changeTemplate' as const, 'deleteTemplate' as const),
    profile: small,
    template: small,
    subject: text,
  }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('createException' as const), policy: small, text }) },
  fc.record({
    kind: fc.constantFrom('updateException' as const, 'deleteException' as const),
    policy: small,
    exception: small,
    text,
  }),
  fc.record({ kind: fc.constant('listAll' as const) }),
);

const queryId = (number: number) => `Query_${number}`;
const policyId = (number: number) => `harborline-policy-${number}`;
const profileId = (number: number) => `Profile_${number}`;
// Template 2 bears a name that the parent has: it overrides.
const templateName = (number: number) => (number === 2 ? 'CFG_AWS_Violation' : `Template_${number}`);

interface Expectation {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** Checks the answer's data and, for creations under ids of the service's choice, takes note of it. */
  readonly learn?: (data: never) => void;
}

function expectation(model: Model, step: Operation): Expectation {
  const { queries, policies, profiles, exceptions } = model;
  switch (step.kind) {
    case 'createQuery': {
      const id = queryId(step.query);
      const queryText = texts[step.text] ?? texts[0];
      const status = queries.has(id) ? 409 : 201;
      if (status === 201) queries.set(id, queryText);
      return { method: 'POST', path: '/Queries', body: { queryId: id, queryText }, status };
    }
    case 'updateQuery': {
      const id = queryId(step.query);
      const queryText = texts[step.text] ?? texts[0];
      const status = queries.has(id) ? 200 : 404;
      if (status === 200) queries.set(id, queryText);
      return { method: 'PATCH', path: `/Queries/${id}`, body: { queryText }, status };
    }
    case 'deleteQuery': {
      const id = queryId(step.query);
      const used = [...policies.values()].some((policy) => policy.queryId === id);
      const status = !queries.has(id) ? 404 : used ? 409 : 204;
      if (status === 204) queries.delete(id);
      return { method: 'DELETE', path: `/Queries/${id}`, status };
    }
    case 'getQuery': {
      const known = queries.get(queryId(step.query));
      return {
        method: 'GET',
        path: `/Queries/${queryId(step.query)}`,
        status: known === undefined ? 404 : 200,
        learn: (data: { queryText: string }) => expect(data.queryText).toBe(known),
      };
    }
    case 'createPolicy': {
      const id = policyId(step.policy);
      const query = queryId(step.query);
      const alertProfile = step.profile === null ? undefined : profileId(step.profile);
      const wrong = !queries.has(query) || (alertProfile !== undefined && !profiles.has(alertProfile));
      const status = policies.has(id) ? 409 : wrong ? 400 : 201;
      if (status === 201) policies.set(id, { queryId: query, alertProfile, enabled: true, severity: 'low' });
      const body = {
        policyId: `$account-policy-${step.policy}`,
        queryId: query,
        title: 't',
        enabled: true,
        description: 'd',
        remediation: 'r',
        severity: 'low',
        alertEnabled: false,
      };
      return {
        method: 'POST',
        path: '/Policies',
        body: alertProfile === undefined ? body : { ...body, alertProfile },
        status,
      };
    }
    case 'updatePolicy': {
      const id = policyId(step.policy);
      const policy = policies.get(id);
      const query = step.query === null ? undefined : queryId(step.query);
      const status = policy === undefined ? 404 : query !== undefined && !queries.has(query) ? 400 : 200;
      if (policy !== undefined && status === 200) {
        Object.assign(policy, {
          enabled: step.enabled,
          severity: step.severity,
          ...(query === undefined ? {} : { queryId: query }),
        });
      }
      const body = { enabled: step.enabled, severity: step.severity };
      return {
        method: 'PATCH',
        path: `/Policies/${id}`,
        body: query === undefined ? body : { ...body, queryId: query },
        status,
      };
    }
    case 'deletePolicy': {
      const id = policyId(step.policy);
      const status = policies.delete(id) ? 204 : 404;
      exceptions.delete(id);
      return { method: 'DELETE', path: `/Policies/${id}`, status };
    }
    case 'getPolicy': {
      const known = policies.get(policyId(step.policy));
      return {
        method: 'GET',
        path: `/Policies/${policyId(step.policy)}`,
        status: known === undefined ? 404 : 200,
        learn: (data: object) =>
          expect(data).toMatchObject(
            JSON.parse(JSON.stringify({ ...known, queryText: queries.get(known?.queryId ?? '') })),
          ),
      };
    }
    case 'createProfile': {
      const id = profileId(step.profile);
      const parent = step.parent === null ? parentId : profileId(step.parent);
      const status = profiles.has(id) ? 409 : parent !== parentId && !profiles.has(parent) ? 400 : 201;
      if (status === 201) profiles.set(id, { extends: parent, templates: new Map() });
      return {
        method: 'POST',
        path: '/AlertProfiles',
        body: { alertProfileId: id, extends: parent, alerts: [] },
        status,
      };
    }
    case 'deleteProfile': {
      const id = profileId(step.profile);
      const used =
        [...policies.values()].some((policy) => policy.alertProfile === id) ||
        [...profiles.values()].some((profile) => profile.extends === id);
      const status = !profiles.has(id) ? 404 : used ? 409 : 204;
      if (status === 204) profiles.delete(id);
      return { method: 'DELETE', path: `/AlertProfiles/${id}`, status };
    }
    case 'getProfile': {
      const id = profileId(step.profile);
      const expected = profiles.has(id) ? templatesOf(model, id) : undefined;
      return {
        method: 'GET',
        path: `/AlertProfiles/${id}`,
        status: expected === undefined ? 404 : 200,
        learn: ({ alerts }: { alerts: { name: string; subject: string }[] }) => {
          expect(alerts.map((template) => template.name).sort()).toEqual([...(expected?.keys() ?? [])].sort());
          for (const template of alerts) {
            const subject = expected?.get(template.name);
            if (subject !== undefined) expect(template.subject).toBe(subject);
          }
        },
      };
    }
    case 'putTemplate': {
      const profile = profiles.get(profileId(step.profile));
      const name = templateName(step.template);
      profile?.templates.set(name, step.subject);
      const body = { name, eventName: 'e', description: 'd', subject: step.subject };
      return {
        method: 'POST',
        path: `/AlertProfiles/${profileId(step.profile)}/AlertTemplates`,
        body,
        status: profile === undefined ? 404 : 200,
      };
    }
    case 'changeTemplate': {
      const templates = profiles.get(profileId(step.profile))?.templates;
      const name = templateName(step.template);
      const status = templates?.has(name) ? 200 : 404;
      if (status === 200) templates?.set(name, step.subject);
      return {
        method: 'PATCH',
        path: `/AlertProfiles/${profileId(step.profile)}/AlertTemplates/${name}`,
        body: { subject: step.subject },
        status,
      };
    }
    case 'deleteTemplate': {
      const name = templateName(step.template);
      const status = profiles.get(profileId(step.profile))?.templates.delete(name) ? 204 : 404;
      return { method: 'DELETE', path: `/AlertProfiles/${profileId(step.profile)}/AlertTemplates/${name}`, status };
    }
    case 'createException': {
      const id = policyId(step.policy);
      const policy = policies.get(id);
      const takesKey = policy !== undefined && queries.get(policy.queryId) === texts[1];
      return {
        method: 'POST',
        path: `/Exceptions?policyId=${id}`,
        body: { description: step.text, constraints: [{ fieldKey: 'accountIds', fieldValues: ['1'] }] },
        status: policy === undefined ? 404 : takesKey ? 201 : 400,
        learn: (data: { exceptionId: string }) => {
          const list = exceptions.get(id) ?? new Map<string, string>();
          exceptions.set(id, list.set(data.exceptionId, step.text));
        },
      };
    }
    case 'updateException':
    case 'deleteException': {
      const id = policyId(step.policy);
      const list = exceptions.get(id);
      const exceptionId = [...(list?.keys() ?? [])][step.exception] ?? 'none';
      const known = list?.has(exceptionId) === true;
      const path = `/Exceptions/${exceptionId}?policyId=${id}`;
      if (step.kind === 'deleteException') {
        list?.delete(exceptionId);
        return { method: 'DELETE', path, status: known ? 204 : 404 };
      }
      if (known) list?.set(exceptionId, step.text);
      return { method: 'PATCH', path, body: { description: step.text }, status: known ? 200 : 404 };
    }
    case 'listAll':
      return {
        method: 'GET',
        path: '/Queries',
        status: 200,
        learn: (data: { queryId: string }[]) => {
          expect(
            data
              .map((query) => query.queryId)
              .filter((id) => id.startsWith('Query_'))
              .sort(),
          ).toEqual([...queries.keys()].sort());
        },
      };
  }
}

/** Names of all templates of a profile, own and inherited; the subject where the model knows it. */
function templatesOf(model: Model, id: string): Map<string, string | undefined> {
  const profile = model.profiles.get(id);
  const inherited: Map<string, string | undefined> =
    profile === undefined || profile.extends === parentId
      ? new Map(inheritedTemplates.map((name) => [name, undefined]))
      : templatesOf(model, profile.extends);
  for (const [name, subject] of profile?.templates ?? []) inherited.set(name, subject);
  return inherited;
}

describe('random sequences of operations', () => {
  let steps = 0;
  const statuses = new Map<number, number>();
  afterAll(() => {
    const seen = [...statuses].sort(([left], [right]) => left - right).map(([status, count]) => `${status}: ${count}`);
    console.log(`${steps} operations in ${sequences} sequences equal the model (seed ${seed}); ${seen.join(', ')}`);
  });

  test('have the statuses and contents that a small model predicts', async () => {
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: stepsEach, maxLength: stepsEach }),
      async (list) => {
        const { call } = await signIn({}, createClock());
        const model: Model = { queries: new Map(), policies: new Map(), profiles: new Map(), exceptions: new Map() };
        for (const step of list) {
          const { method, path, body, status, learn } = expectation(model, step);
          const answer = await call(method, path, body);
          if (answer.status !== status)
            expect.fail(
              `${JSON.stringify(step)}: ${method} ${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`,
            );
          if (status < 300) learn?.(answer.body?.data as never);
          steps++;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        for (const [id, list] of model.exceptions) {
          const { body } = await call('GET', `/Exceptions?policyId=${id}`);
          const found = new Map(
            (body?.data ?? []).map((entry: { exceptionId: string; description: string }) => [
              entry.exceptionId,
              entry.description,
            ]),
          );
          expect(found).toEqual(list);
        }
      },
    );
    await fc.assert(property, { numRuns: sequences, seed });
    expect(Math.min(...statuses.values())).toBeGreaterThan(0);
    for (const status of [200, 201, 204, 400, 404, 409]) expect(statuses.has(status)).toBe(true);
  }, 900_000);
});
