export const root: string;
export const rulesCache: string;
export function setUp(): void;
