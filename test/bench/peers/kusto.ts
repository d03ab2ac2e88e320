import { createRequire } from 'node:module';
import type { Contender } from '../measure.ts';

/** The part of Kusto's language service that the benchmark calls. It is written in C# and translated, which its names show. */
interface KustoApi {
  readonly KustoCode: {
    ParseAndAnalyze(text: string, globals: unknown): { GetDiagnostics(): { readonly Count?: number } };
  };
  readonly GlobalState: { readonly Default: { WithDatabase(database: unknown): unknown } };
  readonly Symbols: {
    readonly TableSymbol: { From(schema: string): { WithName(name: string): unknown } };
    readonly DatabaseSymbol: { readonly ctor: new (name: string, members: readonly unknown[]) => unknown };
  };
  readonly Editor: {
    readonly KustoCodeService: {
      readonly $ctor1: new (text: string, globals: unknown) => { GetCompletionItems(offset: number): unknown };
    };
  };
}

const columns =
  '(BATCH_START_TIME: datetime, BATCH_END_TIME: datetime, QUERY_START_TIME: datetime, QUERY_END_TIME: datetime, ARN: string, ACCOUNT_ID: string, ACCOUNT_ALIAS: string, RESOURCE_ID: string, RESOURCE_REGION: string, RESOURCE_TYPE: string, SERVICE: string, RESOURCE_CONFIG: dynamic, RESOURCE_TAGS: dynamic)';

const text = `SECURITY_GROUPS
| mv-expand permission = RESOURCE_CONFIG.IpPermissions
| mv-expand range = permission.IpRanges
| join kind=leftouter (
    VPCS
    | project VPC_ACCOUNT = ACCOUNT_ID, VPC_RANGE = tostring(RESOURCE_CONFIG.CidrBlock)
  ) on $left.ACCOUNT_ID == $right.VPC_ACCOUNT
| where tostring(range.CidrIp) == "0.0.0.0/0"
// ports of remote access and of databases
| where (toint(permission.FromPort) <= 22 and toint(permission.ToPort) >= 22)
    or toint(permission.FromPort) between (3306 .. 3389)
    or tostring(permission.IpProtocol) in ("-1", "all")
| where tostring(RESOURCE_CONFIG.GroupName) !contains "bastion"
    and tostring(RESOURCE_CONFIG.GroupName) !contains "jump"
| where isnotnull(RESOURCE_CONFIG.VpcId)
| where ACCOUNT_ID in (
    USERS
    | where tostring(RESOURCE_CONFIG.mfa_active) == "false"
    | project ACCOUNT_ID
  )
| extend REASON = case(
    tostring(permission.IpProtocol) == "-1", "AllPortsOpen",
    "PortOpen"
  )
| distinct
    ACCOUNT_ALIAS,
    ARN,
    RESOURCE_REGION,
    VPC_RANGE,
    REASON
`;

/** Kusto's analysis and completion over a text of like length and as many tables; undefined where it is not installed. */
export function openKusto(tables: number): { readonly analyse: Contender; readonly complete: Contender } | undefined {
  const require = createRequire(import.meta.url);
  try {
    require('@kusto/language-service-next/bridge.min.js');
    require('@kusto/language-service-next/Kusto.Language.Bridge.min.js');
  } catch {
    return undefined;
  }
  const { Language } = (globalThis as unknown as { readonly Kusto: { readonly Language: KustoApi } }).Kusto;
  const { KustoCode, GlobalState, Symbols, Editor } = Language;
  const shape = Symbols.TableSymbol.From(columns);
  const names = ['SECURITY_GROUPS', 'VPCS', 'USERS', ...Array.from({ length: tables - 3 }, (_, i) => `TABLE_${i}`)];
  const database = new Symbols.DatabaseSymbol.ctor(
    'main',
    names.map((name) => shape.WithName(name)),
  );
  const globals = GlobalState.Default.WithDatabase(database);
  const found = KustoCode.ParseAndAnalyze(text, globals).GetDiagnostics();
  if (found.Count !== 0) throw new Error(`Kusto finds ${found.Count} problems in the text of the benchmark`);
  const at = text.indexOf('ARN,');
  // A blank more or less each time, so that nothing is remembered from the time before.
  let round = 0;
  const fresh = (): string => (round++ % 2 === 0 ? text : `${text} `);
  return {
    analyse: () => KustoCode.ParseAndAnalyze(fresh(), globals).GetDiagnostics(),
    complete: () => new Editor.KustoCodeService.$ctor1(fresh(), globals).GetCompletionItems(at),
  };
}
