/*
 * Vectorscan as a rival: compiles patterns, then runs over corpora as told on standard input, so that its rounds lie
 * between those of the other engines.
 *
 *   vectorscan literals|start-of-match PATTERNS
 *
 * A file of texts is a sequence of: length (u32, little-endian), bytes. In PATTERNS of start-of-match the first byte
 * of each is `i` (upper and lower case alike) or `-`, the rest a regex. What does not compile is left out.
 *
 *   load FILE                    reads a corpus, answers "ok TEXTS"
 *   run TEXTS REPEATS            answers "NANOSECONDS MATCHES" for the first TEXTS of the corpus
 *   times TEXTS                  answers the nanoseconds of each call
 *
 * The first line of the output is "ready PATTERNS LEFT_OUT BUILD_MS DATABASE_BYTES".
 */
#include <hs/hs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  char **items;
  size_t *lengths;
  unsigned count;
} Texts;

static void fail(const char *what) {
  fprintf(stderr, "vectorscan: %s\n", what);
  exit(1);
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 1);
  if (!memory) fail("out of memory");
  return memory;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static Texts read_texts(const char *file) {
  FILE *in = fopen(file, "rb");
  if (!in) fail("cannot read a file");
  Texts texts = {NULL, NULL, 0};
  unsigned room = 0;
  uint32_t length;
  while (fread(&length, sizeof length, 1, in) == 1) {
    if (texts.count == room) {
      room = room ? room * 2 : 256;
      texts.items = realloc(texts.items, room * sizeof *texts.items);
      texts.lengths = realloc(texts.lengths, room * sizeof *texts.lengths);
      if (!texts.items || !texts.lengths) fail("out of memory");
    }
    char *text = allocate((size_t)length + 1);
    if (fread(text, 1, length, in) != length) fail("a file of texts ends early");
    text[length] = 0;
    texts.items[texts.count] = text;
    texts.lengths[texts.count++] = length;
  }
  fclose(in);
  return texts;
}

static void free_texts(Texts texts) {
  for (unsigned i = 0; i < texts.count; i++) free(texts.items[i]);
  free(texts.items);
  free(texts.lengths);
}

static int count_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *context) {
  (void)id, (void)from, (void)to, (void)flags;
  ++*(unsigned long long *)context;
  return 0;
}

static hs_database_t *compile_literals(const Texts *needles) {
  unsigned *flags = allocate(needles->count * sizeof *flags);
  unsigned *ids = allocate(needles->count * sizeof *ids);
  for (unsigned i = 0; i < needles->count; i++) {
    flags[i] = HS_FLAG_CASELESS;
    ids[i] = i;
  }
  hs_database_t *database = NULL;
  hs_compile_error_t *error = NULL;
  if (hs_compile_lit_multi((const char *const *)needles->items, flags, ids, needles->lengths, needles->count,
                           HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS)
    fail(error->message);
  free(flags);
  free(ids);
  return database;
}

/* Unicode only where the pattern needs it: it makes the machines much larger. */
static int needs_utf8(const char *pattern) {
  if (strstr(pattern, "\\p") || strstr(pattern, "\\x{")) return 1;
  for (; *pattern; pattern++)
    if ((unsigned char)*pattern >= 0x80) return 1;
  return 0;
}

static unsigned regex_flags(const char *pattern) {
  return HS_FLAG_SOM_LEFTMOST | (needs_utf8(pattern) ? HS_FLAG_UTF8 : 0) | (pattern[0] == 'i' ? HS_FLAG_CASELESS : 0);
}

/* Compiles all together; one that is refused is named by its place, left out, and the rest tried again. */
static hs_database_t *compile_regexes(Texts *patterns, unsigned *left_out) {
  const char **sources = allocate(patterns->count * sizeof *sources);
  unsigned *flags = allocate(patterns->count * sizeof *flags);
  unsigned *ids = allocate(patterns->count * sizeof *ids);
  unsigned count = 0;
  for (unsigned i = 0; i < patterns->count; i++) {
    hs_database_t *alone = NULL;
    hs_compile_error_t *error = NULL;
    unsigned wanted = regex_flags(patterns->items[i]);
    if (hs_compile(patterns->items[i] + 1, wanted, HS_MODE_BLOCK, NULL, &alone, &error) != HS_SUCCESS) {
      if (getenv("VECTORSCAN_EXPLAIN")) fprintf(stderr, "%s: %s\n", error->message, patterns->items[i]);
      hs_free_compile_error(error);
      ++*left_out;
      continue;
    }
    hs_free_database(alone);
    sources[count] = patterns->items[i] + 1;
    flags[count] = wanted;
    ids[count] = count;
    count++;
  }
  hs_database_t *database = NULL;
  hs_compile_error_t *error = NULL;
  if (hs_compile_multi(sources, flags, ids, count, HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS)
    fail(error->message);
  return database;
}

int main(int argc, char **argv) {
  if (argc != 3) fail("usage: vectorscan literals|start-of-match PATTERNS");
  Texts patterns = read_texts(argv[2]);
  unsigned left_out = 0;
  int64_t began = now_ns();
  hs_database_t *database =
      strcmp(argv[1], "literals") == 0 ? compile_literals(&patterns) : compile_regexes(&patterns, &left_out);
  double build_ms = (now_ns() - began) / 1e6;
  size_t database_bytes = 0;
  hs_database_size(database, &database_bytes);
  hs_scratch_t *scratch = NULL;
  if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) fail("no scratch");
  printf("ready %u %u %.1f %zu\n", patterns.count, left_out, build_ms, database_bytes);
  fflush(stdout);

  Texts corpus = {NULL, NULL, 0};
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    unsigned texts, repeats;
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "load ", 5) == 0) {
      free_texts(corpus);
      corpus = read_texts(line + 5);
      printf("ok %u\n", corpus.count);
    } else if (sscanf(line, "run %u %u", &texts, &repeats) == 2 && texts <= corpus.count) {
      unsigned long long matches = 0;
      int64_t start = now_ns();
      for (unsigned repeat = 0; repeat < repeats; repeat++)
        for (unsigned i = 0; i < texts; i++)
          hs_scan(database, corpus.items[i], (unsigned)corpus.lengths[i], 0, scratch, count_match, &matches);
      printf("%lld %llu\n", (long long)(now_ns() - start), matches);
    } else if (sscanf(line, "times %u", &texts) == 1 && texts <= corpus.count) {
      unsigned long long matches = 0;
      for (unsigned i = 0; i < texts; i++) {
        int64_t start = now_ns();
        hs_scan(database, corpus.items[i], (unsigned)corpus.lengths[i], 0, scratch, count_match, &matches);
        printf("%lld ", (long long)(now_ns() - start));
      }
      printf("\n");
    } else {
      fail("a command that is not known");
    }
    fflush(stdout);
  }
  return 0;
}
