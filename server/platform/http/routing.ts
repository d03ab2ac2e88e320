import { Check } from 'typebox/value';
import { type AnyEndpoint, apiRoot, type HttpMethod } from '../../api/endpoint.ts';

/** Where a request leads. */
export type Route =
  | { readonly kind: 'found'; readonly endpoint: AnyEndpoint; readonly params: { readonly [name: string]: string } }
  | { readonly kind: 'noPath' }
  | { readonly kind: 'noMethod'; readonly allowed: readonly HttpMethod[] };

export interface Router {
  /** `path` is the request's path as sent, still escaped. */
  match(method: string, path: string): Route;
}

interface Template {
  readonly endpoint: AnyEndpoint;
  readonly segments: readonly string[];
  /** Fixed segments count for more the further left they stand: `/Policies/Tags` goes before `/Policies/{policyId}`. */
  readonly weight: number;
}

/**
 * Leads requests to endpoints by method and path. Two operations may share a path shape (`/AlertChannels/{type}` and
 * `/AlertChannels/{intgGuid}`): the one whose parameters fit their schemas is meant.
 */
export function createRouter(endpoints: readonly AnyEndpoint[]): Router {
  const templates = endpoints
    .map((endpoint): Template => {
      const segments = `${apiRoot}${endpoint.path}`.split('/').slice(1);
      const weight = segments.reduce((sum, segment) => sum * 2 + (segment.startsWith('{') ? 0 : 1), 0);
      return { endpoint, segments, weight };
    })
    .sort((left, right) => right.weight - left.weight);
  return {
    match(method, path) {
      const segments = decodeSegments(path);
      if (segments === undefined) return { kind: 'noPath' };
      const allowed = new Set<HttpMethod>();
      let misfit: Route | undefined;
      for (const template of templates) {
        const params = parametersOf(template.segments, segments);
        if (params === undefined) continue;
        const { endpoint } = template;
        if (endpoint.method !== method) {
          allowed.add(endpoint.method);
          continue;
        }
        const route: Route = { kind: 'found', endpoint, params };
        if (Object.entries(endpoint.params).every(([name, schema]) => Check(schema, params[name]))) return route;
        misfit ??= route;
      }
      // A path whose parameters fit nothing still names an operation, whose check of parameters will say what is wrong.
      if (misfit !== undefined) return misfit;
      return allowed.size === 0 ? { kind: 'noPath' } : { kind: 'noMethod', allowed: [...allowed].sort() };
    },
  };
}

function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function parametersOf(
  template: readonly string[],
  segments: readonly string[],
): { [name: string]: string } | undefined {
  if (template.length !== segments.length) return undefined;
  const params: { [name: string]: string } = Object.create(null);
  for (let index = 0; index < template.length; index++) {
    const expected = template[index] ?? '';
    const actual = segments[index] ?? '';
    if (!expected.startsWith('{')) {
      if (expected !== actual) return undefined;
    } else {
      if (actual === '') return undefined;
      params[expected.slice(1, -1)] = actual;
    }
  }
  return params;
}
