import { randomBytes } from 'node:crypto';
import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import { type AgentAccessToken, agentTokenFilterFields } from '../../core/resources/index.ts';
import { commit, type RequestContext } from '../context.ts';
import type { SearchRecord } from '../search/filters.ts';
import { recordFields, search } from '../search/search.ts';
import { badRequest, notFound } from '../service-error.ts';

const filterable: ReadonlySet<string> = new Set(agentTokenFilterFields);

export const agentAccessTokenHandlers: Handlers<RequestContext>['agentAccessTokens'] = {
  create({ body }, context) {
    const createdTime = new Date(context.now).toISOString();
    const token: AgentAccessToken = {
      accessToken: randomBytes(28).toString('hex'),
      createdTime,
      tokenAlias: body.tokenAlias,
      tokenEnabled: String(body.tokenEnabled),
      version: '0.1',
      props: { ...body.props, createdTime },
    };
    context.account.state.agentAccessTokens[token.accessToken] = token;
    commit(context, 'AgentAccessToken', 'CREATE', `Agent access token ${body.tokenAlias} was created.`);
    return { data: token };
  },
  list: (_, context) => ({ data: allTokens(context).filter((token) => token.tokenEnabled === '1') }),
  async search({ body }, context) {
    const unknown = body.filters?.find(({ field }) => !filterable.has(field));
    if (unknown !== undefined) {
      throw badRequest(`Invalid field: '${unknown.field}'. Valid fields are [${agentTokenFilterFields.join(', ')}].`);
    }
    const records = allTokens(context) as unknown as SearchRecord[];
    const fields = recordFields(endpoints.agentAccessTokens.search);
    return { data: (await search(records, body, fields, context)) as Partial<AgentAccessToken>[] };
  },
  get: ({ params }, context) => ({ data: requireToken(context, params.id) }),
  update({ params, body }, context) {
    const token = requireToken(context, params.id);
    if (body.tokenEnabled !== undefined) token.tokenEnabled = String(body.tokenEnabled);
    if (body.props !== undefined) token.props = { ...token.props, ...body.props };
    commit(context, 'AgentAccessToken', 'UPDATE', `Agent access token ${token.tokenAlias ?? ''} was changed.`);
    return { data: token };
  },
};

function allTokens(context: RequestContext): AgentAccessToken[] {
  return Object.values(context.account.state.agentAccessTokens);
}

function requireToken(context: RequestContext, id: string): AgentAccessToken {
  const { agentAccessTokens } = context.account.state;
  const token = Object.hasOwn(agentAccessTokens, id) ? agentAccessTokens[id] : undefined;
  if (token === undefined) throw notFound('Not found');
  return token;
}
