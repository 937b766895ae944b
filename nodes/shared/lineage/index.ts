export { findClaims } from './findClaims';
export type { ClaimProblem, ClaimProblemKind, ClaimSearch, FoundClaim, ItemClaims, Sideways } from './types';
