/** The maps of a store in memory, which can all be put back together. What stands in them is replaced, never changed. */
export interface MemoryMaps {
  create<K, V>(): Map<K, V>;
  /** Gives what puts all maps back into the state of now. */
  mark(): () => void;
}

export function createMemoryMaps(): MemoryMaps {
  const marks: (() => () => void)[] = [];
  return {
    create<K, V>() {
      const map = new Map<K, V>();
      marks.push(() => {
        const before = [...map];
        return () => {
          map.clear();
          for (const [key, value] of before) map.set(key, value);
        };
      });
      return map;
    },
    mark() {
      const undo = marks.map((mark) => mark());
      return () => {
        for (const putBack of undo) putBack();
      };
    },
  };
}
