/** What stands for the account's name in front of a chosen policy id, in files that go to several accounts. */
export const policyAccountMark = '$account-';

/** What a person may choose of a policy id; the service puts the account's name in front. */
export const chosenPolicyId = /^[a-z]{1,16}(-[0-9]{1,8})?$/;

/** Beginnings of policy ids that the service keeps for those it gives out itself. */
export const serviceGivenPolicyId = /^default(-|$)/;

export const queryIdForm = /^[A-Za-z][A-Za-z0-9_]*$/;
