/** What `make` gives, made when it is first asked for. */
export function once<Made extends object | boolean>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
