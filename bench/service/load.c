// A client that puts an HTTP/1.1 service under load, in closed loop or with arrivals at a fixed rate, from one thread.
//
//   load PORT REQUESTS CONNECTIONS SECONDS RATE PATIENCE STAMP
//
// REQUESTS is a file of whole requests, each behind its length (4 bytes, little endian), sent in turn. Where one holds the
// word STAMP (eight letters), that is another word each time, so that no two requests are alike. RATE 0 is the
// closed loop: every connection asks again as soon as it has its answer. Otherwise RATE requests a second arrive, their
// gaps drawn from an exponential distribution, and take a free connection each. One that finds none waits, and its wait
// counts (a client that stopped its clock would hide the service's stalls); with PATIENCE 0 it is dropped and counted
// instead, as for a service that is offered more than client or kernel can carry. Prints one JSON object: for the
// answers 200, for 503 and for all others their number and latencies, and what was dropped or broken.
//
// Why not wrk or autocannon: neither has arrival rates, and neither tells the latencies of 503s from those of verdicts.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { answer_bytes = 16384, events_max = 512, waiting_max = 1 << 20, classes = 3, stamp_letters = 8 };

static const char *stamp_word;

struct request {
  const char *bytes;
  uint32_t length;
  char *stamp;  // within the bytes; NULL where there is none
};

struct connection {
  int fd;
  int busy;
  const struct request *request;
  uint32_t sent;
  double since;      // when the answer was first wanted, in seconds
  uint32_t have;     // bytes of the answer's head that were read
  long body;         // bytes of its body still to come; -1 while the head is incomplete
  int status;
  int closing;
  char head[answer_bytes];
};

struct sample {
  uint32_t *us;
  size_t count, room;
};

static struct sample samples[classes];
static struct request *requests;
static size_t request_count, next_request;
static struct connection *connections, **idle;
static size_t idle_count;
static double *waiting;  // a ring of arrival times without a connection
static size_t waiting_from, waiting_count;
static size_t dropped, broken;
static int loop, timer, port;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static void keep(struct sample *sample, double seconds) {
  if (sample->count == sample->room) {
    sample->room = sample->room ? sample->room * 2 : 1 << 16;
    sample->us = (uint32_t *)realloc(sample->us, sample->room * sizeof(uint32_t));
    if (!sample->us) fail("memory");
  }
  sample->us[sample->count++] = (uint32_t)(seconds * 1e6);
}

static void open_connection(struct connection *connection) {
  struct sockaddr_in address;
  struct epoll_event event;
  int on = 1;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connection->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connection->fd < 0) fail("socket");
  if (connect(connection->fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(connection->fd, F_SETFL, O_NONBLOCK);
  event.events = EPOLLIN | EPOLLOUT | EPOLLET;
  event.data.ptr = connection;
  if (epoll_ctl(loop, EPOLL_CTL_ADD, connection->fd, &event) < 0) fail("epoll");
  connection->busy = 0;
}

static void write_more(struct connection *connection) {
  while (connection->busy && connection->sent < connection->request->length) {
    ssize_t put = send(connection->fd, connection->request->bytes + connection->sent,
                       connection->request->length - connection->sent, MSG_NOSIGNAL);
    if (put < 0) return;  // full, or broken: then reading will tell
    connection->sent += (uint32_t)put;
  }
}

// Eight letters that count up, from the microsecond of the start: a later run has none of them again. A request that is still
// being sent on another connection may go out with these.
static void put_stamp(char *stamp) {
  static uint32_t count;
  uint32_t left;
  int letter;
  if (count == 0) count = (uint32_t)fmod(now() * 1e6, 4294967296.0);
  left = ++count * 2654435761u;
  for (letter = 0; letter < stamp_letters; letter++, left >>= 4) stamp[letter] = (char)('a' + (left & 15));
}

static void ask(struct connection *connection, double since) {
  connection->busy = 1;
  connection->request = &requests[next_request];
  if (connection->request->stamp) put_stamp(connection->request->stamp);
  next_request = (next_request + 1) % request_count;
  connection->sent = 0;
  connection->since = since;
  connection->have = 0;
  connection->body = -1;
  connection->closing = 0;
  write_more(connection);
}

static void release(struct connection *connection, int closed_loop, double at) {
  if (closed_loop) {
    ask(connection, at);
  } else if (waiting_count > 0) {
    double since = waiting[waiting_from];
    waiting_from = (waiting_from + 1) % waiting_max;
    waiting_count--;
    ask(connection, since);
  } else {
    connection->busy = 0;
    idle[idle_count++] = connection;
  }
}

static void reopen(struct connection *connection, int closed_loop) {
  int was_busy = connection->busy;
  close(connection->fd);
  open_connection(connection);
  if (was_busy) release(connection, closed_loop, now());
}

// The length of a body by its head; 0 where none is told.
static long body_length(const char *head) {
  const char *line = head;
  while ((line = strstr(line, "\r\n")) != NULL) {
    line += 2;
    if (strncasecmp(line, "content-length:", 15) == 0) return strtol(line + 15, NULL, 10);
  }
  return 0;
}

// Takes what has come; true once the answer is whole.
static int take(struct connection *connection, char *bytes, size_t count) {
  char *end;
  if (connection->body >= 0) {
    connection->body -= (long)count;
    return connection->body <= 0;
  }
  if (connection->have + count >= answer_bytes) count = answer_bytes - 1 - connection->have;
  memcpy(connection->head + connection->have, bytes, count);
  connection->have += (uint32_t)count;
  connection->head[connection->have] = 0;
  end = strstr(connection->head, "\r\n\r\n");
  if (end == NULL) return 0;
  connection->status = atoi(connection->head + 9);
  *end = 0;
  connection->closing = strcasestr(connection->head, "connection: close") != NULL;
  connection->body = body_length(connection->head) - (connection->head + connection->have - (end + 4));
  return connection->body <= 0;
}

static void read_more(struct connection *connection, int closed_loop) {
  static char bytes[65536];
  for (;;) {
    ssize_t got = recv(connection->fd, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      if (connection->busy) broken++;
      reopen(connection, closed_loop);
      return;
    }
    if (!connection->busy) continue;
    if (take(connection, bytes, (size_t)got)) {
      double at = now();
      int kind = connection->status == 200 ? 0 : connection->status == 503 ? 1 : 2;
      keep(&samples[kind], at - connection->since);
      // An answer may come before its request was sent; what is left of that must not be taken for the next one.
      if (connection->closing || connection->sent < connection->request->length) {
        reopen(connection, closed_loop);
        return;
      }
      release(connection, closed_loop, at);
    }
  }
}

static void arrive(double since, int patient) {
  if (idle_count > 0) {
    ask(idle[--idle_count], since);
  } else if (patient && waiting_count < waiting_max) {
    waiting[(waiting_from + waiting_count++) % waiting_max] = since;
  } else {
    dropped++;
  }
}

// Ends the next wait for events at that time. Milliseconds, which epoll_wait knows, are too coarse, and a client that spins
// would take a core from what it measures.
static void wake_at(double time) {
  struct itimerspec when;
  memset(&when, 0, sizeof when);
  when.it_value.tv_sec = (time_t)time;
  when.it_value.tv_nsec = (long)((time - floor(time)) * 1e9);
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void read_requests(const char *file) {
  FILE *input = fopen(file, "rb");
  char *all;
  long size, at = 0;
  if (!input) fail(file);
  fseek(input, 0, SEEK_END);
  size = ftell(input);
  rewind(input);
  all = (char *)malloc((size_t)size);
  if (!all || fread(all, 1, (size_t)size, input) != (size_t)size) fail(file);
  fclose(input);
  while (at + 4 <= size) {
    uint32_t length;
    memcpy(&length, all + at, 4);
    requests = (struct request *)realloc(requests, (request_count + 1) * sizeof *requests);
    requests[request_count].bytes = all + at + 4;
    requests[request_count].length = length;
    requests[request_count++].stamp = (char *)memmem(all + at + 4, length, stamp_word, stamp_letters);
    at += 4 + (long)length;
  }
  if (request_count == 0) fail("no requests");
}

static int ascending(const void *one, const void *other) {
  uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return a < b ? -1 : a > b;
}

static double quantile(const struct sample *sample, double share) {
  size_t at = (size_t)((double)sample->count * share);
  if (sample->count == 0) return 0;
  return sample->us[at < sample->count ? at : sample->count - 1] / 1000.0;
}

static void print_sample(const char *name, struct sample *sample) {
  qsort(sample->us, sample->count, sizeof(uint32_t), ascending);
  printf("\"%s\":{\"count\":%zu,\"p50ms\":%.3f,\"p99ms\":%.3f,\"p999ms\":%.3f,\"maxms\":%.3f}", name, sample->count,
         quantile(sample, 0.5), quantile(sample, 0.99), quantile(sample, 0.999), quantile(sample, 1));
}

int main(int count, char **arguments) {
  struct epoll_event events[events_max];
  struct rlimit files;
  size_t connection_count, i;
  double seconds, rate, began, next, until;
  int patient, closed_loop;
  if (count != 8 || strlen(arguments[7]) != stamp_letters) {
    fprintf(stderr, "usage: load PORT REQUESTS CONNECTIONS SECONDS RATE PATIENCE STAMP\n");
    return 2;
  }
  port = atoi(arguments[1]);
  stamp_word = arguments[7];
  read_requests(arguments[2]);
  connection_count = (size_t)atol(arguments[3]);
  seconds = atof(arguments[4]);
  rate = atof(arguments[5]);
  patient = atoi(arguments[6]);
  closed_loop = rate <= 0;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  srand48(7);
  loop = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  events[0].events = EPOLLIN | EPOLLET;
  events[0].data.ptr = NULL;
  if (epoll_ctl(loop, EPOLL_CTL_ADD, timer, &events[0]) < 0) fail("epoll");
  connections = (struct connection *)calloc(connection_count, sizeof *connections);
  idle = (struct connection **)calloc(connection_count, sizeof *idle);
  waiting = (double *)calloc(waiting_max, sizeof *waiting);
  if (!connections || !idle || !waiting) fail("memory");
  for (i = 0; i < connection_count; i++) {
    open_connection(&connections[i]);
    idle[idle_count++] = &connections[i];
  }
  began = next = now();
  until = began + seconds;
  if (closed_loop) {
    idle_count = 0;
    for (i = 0; i < connection_count; i++) ask(&connections[i], now());
  }
  for (;;) {
    double at = now();
    int timeout = 100, ready, e;
    if (at >= until) break;
    if (!closed_loop) {
      // A client that runs late sends what is due, but never so much at once that it stops reading answers.
      for (e = 0; next <= at && e < 64; e++) {
        arrive(next, patient);
        next += -log(1 - drand48()) / rate;
      }
      if (next <= at) timeout = 0;
      else wake_at(next);
    }
    ready = epoll_wait(loop, events, events_max, timeout);
    for (e = 0; e < ready; e++) {
      struct connection *connection = (struct connection *)events[e].data.ptr;
      if (!connection) continue;  // the timer
      if (events[e].events & EPOLLOUT) write_more(connection);
      if (events[e].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_more(connection, closed_loop);
    }
  }
  printf("{\"seconds\":%.3f,", now() - began);
  print_sample("ok", &samples[0]);
  printf(",");
  print_sample("busy", &samples[1]);
  printf(",");
  print_sample("other", &samples[2]);
  printf(",\"dropped\":%zu,\"waiting\":%zu,\"broken\":%zu}\n", dropped, waiting_count, broken);
  return 0;
}
