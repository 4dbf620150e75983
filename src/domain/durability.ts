/**
 * When a scan is answered: at once (`relaxed`: a crash of the service loses the records of the last moments), once its record is
 * committed (`committed`: a crash of the service loses none, one of the machine the last moments), or once it is on disk
 * (`flushed`: neither loses any).
 */
export const durabilities = ['relaxed', 'committed', 'flushed'] as const;

export type Durability = (typeof durabilities)[number];
