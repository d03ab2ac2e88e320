import { defineRule } from '../rule.ts';

const styles: Readonly<Record<string, RegExp>> = {
  upper: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/,
  lower: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
  camel: /^[a-z][A-Za-z0-9]*$/,
};
const examples: Readonly<Record<string, string>> = {
  upper: 'RESOURCE_KEY',
  lower: 'resource_key',
  camel: 'resourceKey',
};

export const resultColumnNaming = defineRule({
  id: 'result-column-naming',
  title: 'Alias of a result column does not follow the naming style',
  why: 'Results come back with names in capitals whatever the query writes. One style in all queries makes text and result look alike.',
  whatToDo: 'Rename the alias.',
  bad: '{ source { CloudTrailRawEvents } return { EVENT_NAME as eventName } }',
  good: '{ source { CloudTrailRawEvents } return { EVENT_NAME as EVENT_NAME } }',
  severity: 'off',
  options: {
    style: {
      type: 'choice',
      choices: ['upper', 'lower', 'camel'],
      default: 'upper',
      description: 'UPPER_CASE, lower_case or camelCase.',
    },
  },
  visit: {
    returnColumn(node, context) {
      const { alias } = node;
      const { style } = context.options;
      const pattern = styles[style];
      if (alias === undefined || alias.name === '' || pattern === undefined || pattern.test(alias.name)) return;
      const wanted =
        style === 'upper' || style === 'lower'
          ? alias.name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')[style === 'upper' ? 'toUpperCase' : 'toLowerCase']()
          : undefined;
      context.report({
        range: alias.range,
        message: `House style: result columns are written like ${examples[style]}, this one is '${alias.name}'.`,
        // The name of the result column changes with an added underscore, so only a change of case keeps the meaning.
        fixes:
          wanted === undefined || !pattern.test(wanted)
            ? []
            : [
                {
                  title: `Change to '${wanted}'`,
                  edits: [{ range: alias.range, newText: wanted }],
                  safe: wanted.toUpperCase() === alias.name.toUpperCase(),
                },
              ],
      });
    },
  },
});
