/**
 * Everything the specification leaves open and the local platform had to decide. Each entry says what was decided and on what ground;
 * those with `choices` can be switched where real clients differ. Where the specification is firm it rules, and nothing is listed here.
 */

/** `documented`: public documentation of the real service. `observed`: its public clients and their tests. `guessed`: neither tells. */
export type Evidence = 'documented' | 'observed' | 'guessed';

interface Assumption {
  readonly id: string;
  readonly statement: string;
  readonly evidence: Evidence;
  readonly ground: string;
  /** Values it can be switched to, the default first. */
  readonly choices?: readonly string[];
}

export const assumptions = [
  {
    id: 'empty-lists',
    statement: 'A list or search that finds nothing answers 204 without a body where the real service may.',
    evidence: 'observed',
    ground: 'public interface description; clients map 204 to an empty list',
    choices: ['204', '200'],
  },
  {
    id: 'raw-authorization',
    statement: 'A token is accepted only as "Bearer <token>"; the switch accepts it bare as well.',
    evidence: 'observed',
    ground: 'one public client sends the bare token; the specification demands Bearer',
    choices: ['refused', 'accepted'],
  },
  {
    id: 'query-text-lines',
    statement: 'A query text with a line break is refused with 400; the switch accepts and keeps it as sent.',
    evidence: 'observed',
    ground: 'the specification forbids line breaks; public clients send them',
    choices: ['refused', 'accepted'],
  },
  {
    id: 'legacy-request-keys',
    statement:
      'The keys usageContext and evaluatorId of older and newer clients, and the tokenAlias that one sends in changes of agent access tokens, are refused like any unknown key; the switch ignores them.',
    evidence: 'observed',
    ground: 'public clients always send them',
    choices: ['refused', 'ignored'],
  },
  {
    id: 'template-answers',
    statement: 'Creating or changing an alert template answers the template; the switch answers the whole profile.',
    evidence: 'documented',
    ground: 'the specification says template, public documentation the profile',
    choices: ['template', 'profile'],
  },
  {
    id: 'template-methods',
    statement:
      'An alert template is changed by PATCH and deleted by DELETE; the switch takes POST to its path for either, with a body or without.',
    evidence: 'observed',
    ground: 'a public client sends POST for both; the specification says PATCH and DELETE',
    choices: ['specified', 'post'],
  },
  {
    id: 'execute-rate',
    statement: 'Query executions share the 480 requests an hour of every functionality; the switch gives them 120.',
    evidence: 'documented',
    ground: 'public documentation names 120 on-demand executions an hour; the specification 480 for all operations',
    choices: ['480', '120'],
  },
  {
    id: 'policy-types',
    statement: 'A policy is of type Violation, as the specification says; the switch accepts Compliance as well.',
    evidence: 'observed',
    ground: 'a public client creates policies of type Compliance',
    choices: ['violation', 'compliance'],
  },
  {
    id: 'success-statuses',
    statement: 'Creating answers 201, deleting, closing and testing 204 without a body, everything else 200.',
    evidence: 'documented',
    ground: 'public interface description',
  },
  {
    id: 'token-errors',
    statement: 'A token request with a wrong key id or secret answers 401, one without the secret header 400.',
    evidence: 'guessed',
    ground: 'the specification names 401 for refused credentials; no text is public',
  },
  {
    id: 'default-execute-range',
    statement:
      'An execution without StartTimeRange covers the 24 hours before EndTimeRange; without EndTimeRange it ends now.',
    evidence: 'guessed',
    ground: 'the rule of the time-ranged searches',
  },
  {
    id: 'execute-range-length',
    statement: 'An execution may cover any length of time: the limit of 7 days belongs to searches.',
    evidence: 'observed',
    ground: 'a public client asks for 23 days at once',
  },
  {
    id: 'execute-row-limit',
    statement: 'An execution returns at most 5,000 rows, or options.limit when that is less.',
    evidence: 'observed',
    ground: 'public tools ask for and expect 5,000',
  },
  {
    id: 'organization-headers',
    statement: 'Org-Access and Account-Name are honoured on every operation but the token request.',
    evidence: 'observed',
    ground:
      'the specification lists them for some operations only; the public clients send them with every call when they are configured',
  },
  {
    id: 'range-end-excluded',
    statement: 'A time range includes its start and excludes its end.',
    evidence: 'guessed',
    ground: 'adjacent ranges then neither miss nor repeat a row',
  },
  {
    id: 'time-columns',
    statement: 'A time range is compared with BATCH_END_TIME where a datasource has it, else with EVENT_TIME.',
    evidence: 'guessed',
    ground: 'no public text names the column',
  },
  {
    id: 'configuration-snapshot',
    statement:
      'A configuration datasource shows the last collection that ended inside the range; a range without one shows no rows.',
    evidence: 'documented',
    ground: 'the specification says so for the inventory search',
  },
  {
    id: 'entity-snapshot',
    statement:
      'Machines, users, files, containers, images and packages show their last report inside the range; processes and activity show every row.',
    evidence: 'guessed',
    ground: 'so that a join to a machine finds one partner',
  },
  {
    id: 'join-keys',
    statement: 'Relationships join along machine ids, resource names and ids of the account.',
    evidence: 'guessed',
    ground: 'join keys are published nowhere',
  },
  {
    id: 'page-tokens',
    statement:
      'nextPage is the path of the search without /search, then an opaque token; an unknown or expired one answers 404.',
    evidence: 'observed',
    ground: 'addresses seen in public logs',
  },
  {
    id: 'kept-pages',
    statement:
      'Results of several pages are kept up to 1,000,000 rows altogether; beyond, the oldest goes and its addresses answer as expired ones do.',
    evidence: 'guessed',
    ground: 'the specification names 24 hours and no cap, but the memory of one machine has an end',
  },
  {
    id: 'unknown-filter-field',
    statement:
      'A filter or returns on a field that the records of a search do not have answers 400 with "Invalid field".',
    evidence: 'observed',
    ground: 'a public client looks for these words',
  },
  {
    id: 'missing-filter-field',
    statement: 'A record that lacks a field satisfies no filter on it, not even a negative one.',
    evidence: 'guessed',
    ground: 'SQL semantics, which the specification names for rlike',
  },
  {
    id: 'filter-arrays',
    statement: 'A filter that meets an array is satisfied by any element; a negative one must hold for every element.',
    evidence: 'guessed',
    ground: 'the specification speaks of arrays for rlike only',
  },
  {
    id: 'open-time-ranges',
    statement:
      'Searches without the rule of 7 days cover all history when no time range is given, and ranges of any length.',
    evidence: 'guessed',
    ground: 'the specification limits the rule to the searches that say so',
  },
  {
    id: 'history-limit',
    statement: 'A search of compliance evaluations that begins more than 90 days ago answers 400.',
    evidence: 'observed',
    ground: 'the inventory search of the real service refuses such ranges',
  },
  {
    id: 'policy-evaluation',
    statement:
      'An enabled policy runs every hour, or every day where evalFrequency says Daily, and when somebody looks at alerts while it is due; its first run covers 24 hours.',
    evidence: 'documented',
    ground: 'hourly evaluation; the specification leaves the schedule open',
  },
  {
    id: 'alert-per-run',
    statement:
      'A run of a policy makes one alert of all its new findings; a finding is new until it was part of an alert.',
    evidence: 'guessed',
    ground: 'no public text tells how findings are grouped',
  },
  {
    id: 'integration-state',
    statement:
      'A new integration has no state, which reads as Pending, and a minute later one that is ok; scanners never have one.',
    evidence: 'guessed',
    ground: 'the specification: a missing state is Pending except for two kinds',
  },
  {
    id: 'integration-secrets',
    statement: 'Credentials in the data of integrations are answered as empty texts and not kept.',
    evidence: 'observed',
    ground: 'public examples show empty texts',
  },
  {
    id: 'scan-length',
    statement:
      'An inventory scan takes ten minutes; a request for one while it runs or within the hour after answers 200 with its state.',
    evidence: 'observed',
    ground: 'public status texts; the length is a guess',
  },
  {
    id: 'template-placeholders',
    statement: 'A placeholder that is not among the descriptionKeys of a profile is refused with 400.',
    evidence: 'documented',
    ground: 'public documentation: only these keys may be used',
  },
  {
    id: 'inherited-templates',
    statement:
      'Changing or deleting a template that a profile only inherits answers 404; create one of the same name to override it.',
    evidence: 'guessed',
    ground: 'the specification: reusing a name overrides',
  },
  {
    id: 'content-in-use',
    statement: 'An alert profile that a policy or another profile uses cannot be deleted (409).',
    evidence: 'guessed',
    ground: 'as for queries in use',
  },
  {
    id: 'like-patterns',
    statement: 'In like filters % stands for any text and _ for one character.',
    evidence: 'documented',
    ground: 'public documentation',
  },
  {
    id: 'query-in-use',
    statement: 'Deleting a query that a policy uses answers 409.',
    evidence: 'guessed',
    ground: 'public clients delete the policy first',
  },
  {
    id: 'built-in-content',
    statement:
      'Queries, policies and alert profiles of the vendor cannot be changed or deleted (403), but for enabled and severity of policies.',
    evidence: 'observed',
    ground: 'public clients and their documentation',
  },
  {
    id: 'policy-ids',
    statement:
      'A policy without an id gets <account>-default-<n>; a chosen one gets <account>- in front; a taken one answers 409.',
    evidence: 'documented',
    ground: 'public interface description; the status is a guess',
  },
  {
    id: 'restart',
    statement: 'Access tokens and page addresses do not survive a restart of the platform; content does.',
    evidence: 'guessed',
    ground: 'tokens are temporary',
  },
  {
    id: 'rate-limit-reset',
    statement:
      'RateLimit-Reset counts the seconds until the oldest token of the bucket comes back while tokens are left, too.',
    evidence: 'guessed',
    ground: 'the specification defines it for the exhausted bucket only',
  },
  {
    id: 'rejected-requests-count',
    statement:
      'A request refused with 429 takes no token; every other authenticated request takes one, whatever its answer.',
    evidence: 'guessed',
    ground: 'the specification: each request removes one token',
  },
  {
    id: 'token-requests-count',
    statement: 'Token requests have a bucket of their own, taken per key id.',
    evidence: 'guessed',
    ground: 'there is no user yet when a token is asked for',
  },
  {
    id: 'public-operations',
    statement:
      'Operations that the specification does not show but public clients use (one query or policy, deleting, validating, lists and searches of content) are served as those clients expect; --spec-only leaves them out.',
    evidence: 'documented',
    ground: 'public interface description; the specification says "not shown"',
  },
  {
    id: 'error-texts',
    statement:
      'Texts of errors follow those that public clients look for, where any are known; the status is the one the specification gives the condition.',
    evidence: 'observed',
    ground: 'the specification shows no texts',
  },
  {
    id: 'roles',
    statement: 'Every key may use every operation; only sub-accounts and the organization ask for more.',
    evidence: 'guessed',
    ground: 'the specification shows no roles for single operations',
  },
  {
    id: 'record-fields',
    statement:
      'Records of searches have the fields of the public interface description beside those the specification names.',
    evidence: 'documented',
    ground: 'public interface description; the specification shows some names and says that the rest is "not shown"',
  },
  {
    id: 'container-vulnerabilities',
    statement:
      'The search of container vulnerabilities takes the shared search body and answers pages of findings, one an image and weakness.',
    evidence: 'documented',
    ground: 'public interface description; the specification shows neither request nor answer',
  },
  {
    id: 'integration-data',
    statement:
      'The data of an integration is any object; only those of AwsS3 and AwsCfg, which the specification shows, are checked field by field.',
    evidence: 'guessed',
    ground: 'shapes of all other types are not shown',
  },
  {
    id: 'registry-kinds',
    statement:
      'The kind of a container registry is the registryType in its data, any text; the two scanner kinds never have a state.',
    evidence: 'documented',
    ground: 'public interface description; the specification shows one kind',
  },
  {
    id: 'channel-test',
    statement:
      'Testing an enabled alert channel succeeds and one that is disabled answers 400; nothing is sent anywhere, by alerts neither.',
    evidence: 'guessed',
    ground: 'payloads for destinations are not shown; a lab must not send messages',
  },
  {
    id: 'agent-token-states',
    statement:
      'The texts 1 and 0 switch an agent access token on and off, any number of times; numbers are understood and answered as text; there is no deleting.',
    evidence: 'observed',
    ground: 'a public client sends numbers; the specification shows the value 1 alone',
  },
  {
    id: 'alert-states',
    statement: 'An alert is Open until it is closed, and Closed for good; no other status occurs.',
    evidence: 'guessed',
    ground: 'the specification names two and says that others are "not shown"',
  },
  {
    id: 'exception-constraints',
    statement:
      'A constraint names a fieldKey and fieldValues; which keys a policy takes follows from the datasource its query begins with. All constraints of an exception must hold.',
    evidence: 'documented',
    ground: 'public interface description; the specification shows no shape',
  },
  {
    id: 'export-rules',
    statement: 'A data export rule has a type, filters of any fields and a list of integrations; it exports nothing.',
    evidence: 'documented',
    ground: 'public interface description; the specification shows no fields',
  },
] as const satisfies readonly Assumption[];

type SwitchableId = Extract<(typeof assumptions)[number], { readonly choices: readonly string[] }>['id'];

/** How the switchable assumptions stand. */
export type Switches = {
  readonly [Id in SwitchableId]: Extract<
    (typeof assumptions)[number],
    { readonly id: Id; readonly choices: readonly string[] }
  >['choices'][number];
};

/** The default of every switch: the specification's side. */
export const specificationSwitches: Switches = {
  'empty-lists': '204',
  'raw-authorization': 'refused',
  'query-text-lines': 'refused',
  'legacy-request-keys': 'refused',
  'template-answers': 'template',
  'template-methods': 'specified',
  'execute-rate': '480',
  'policy-types': 'violation',
};

/** The switches that public clients of the real service need. */
export const compatibleSwitches: Switches = {
  'empty-lists': '204',
  'raw-authorization': 'accepted',
  'query-text-lines': 'accepted',
  'legacy-request-keys': 'ignored',
  'template-answers': 'profile',
  'template-methods': 'post',
  'execute-rate': '120',
  'policy-types': 'compliance',
};

/** Reads `id=choice` as the command line gives it; undefined when either is unknown. */
export function parseSwitch(text: string): Partial<Switches> | undefined {
  const [id, choice] = text.split('=');
  const entry: Assumption | undefined = assumptions.find((candidate) => candidate.id === id);
  if (entry?.choices === undefined || choice === undefined || !entry.choices.includes(choice)) return undefined;
  return { [entry.id]: choice };
}
