// A server at a distance: forwards TCP connections to a port on 127.0.0.1, and holds bytes back for
// half of a round trip each way.
//
//   cc -O2 -Wall -Wextra -Werror -o delay delay.c
//   delay --to PORT --round-trip MILLISECONDS [--port N] [--seconds N]
//
// The kernel answers a connect on loopback at once. To make up for that, the first bytes of a client
// are held back for one round trip more. There is no loss, no slow start and no limit on bandwidth:
// bytes are read as they come, stamped, and written when their time has come. When a direction holds
// `ring_size` bytes, no more are read.
//
// Prints {"port":N,"pid":N} when it listens, and {"connections":N,"bytes":N} when it ends: on SIGTERM,
// at the end of its standard input, or after --seconds (default 300).

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "listen.h"

enum {
  max_connections = 256,
  ring_size = 4 << 20,
  read_size = 256 << 10,
  max_stamps = 16384,      // of a direction; when all are taken, no more is read
  longest_wait = 200000,   // microseconds: how late a deadline or a signal may be noticed
};

struct options {
  int port, target, seconds;
  int64_t one_way;
};

// Bytes that arrived together: they may pass when `due` has come, up to the position `end`.
struct stamp {
  int64_t due;
  uint64_t end;
};

// One way of a connection. Positions count bytes since its beginning.
struct direction {
  int from, to;
  int64_t earliest;  // before this no byte passes
  uint64_t read, written;
  unsigned first_stamp, stamp_count;
  bool has_ended, is_closed, is_blocked;
  uint8_t *ring;
  struct stamp stamps[max_stamps];
};

struct connection {
  struct direction up, down;
};

static struct connection *connections[max_connections];
static int open_connections;
static unsigned long long connections_accepted, bytes_carried;
static volatile sig_atomic_t stopped;

static void die(const char *what) {
  fprintf(stderr, "delay: %s\n", what);
  exit(1);
}

// Microseconds.
static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static int64_t later(int64_t left, int64_t right) { return left > right ? left : right; }

// ---- One direction ------------------------------------------------------------------------------

static bool has_room(const struct direction *way) {
  return !way->has_ended && way->read - way->written < ring_size && way->stamp_count < max_stamps;
}

// Reads into the part of the ring that follows the newest byte; false when the connection is lost.
static bool receive(struct direction *way, const struct options *options) {
  size_t place = way->read % ring_size, room = ring_size - (way->read - way->written);
  if (room > ring_size - place) room = ring_size - place;
  if (room > read_size) room = read_size;
  ssize_t count = recv(way->from, way->ring + place, room, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  way->has_ended = count == 0;
  way->read += (uint64_t)count;
  unsigned last = (way->first_stamp + way->stamp_count++) % max_stamps;
  int64_t due = later(now() + options->one_way, way->earliest);
  way->stamps[last] = (struct stamp){due, way->read};
  return true;
}

static struct stamp *next_stamp(struct direction *way) {
  return way->stamp_count ? &way->stamps[way->first_stamp] : NULL;
}

static void drop_stamp(struct direction *way) {
  way->first_stamp = (way->first_stamp + 1) % max_stamps;
  way->stamp_count--;
}

// The position up to which bytes may pass by now.
static uint64_t passable(const struct direction *way, int64_t time) {
  uint64_t end = way->written;
  for (unsigned i = 0; i < way->stamp_count; i++) {
    const struct stamp *stamp = &way->stamps[(way->first_stamp + i) % max_stamps];
    if (stamp->due > time) break;
    end = stamp->end;
  }
  return end;
}

static ssize_t write_ring(struct direction *way, size_t length) {
  size_t place = way->written % ring_size, head = ring_size - place;
  if (head > length) head = length;
  struct iovec parts[2] = {{way->ring + place, head}, {way->ring, length - head}};
  return writev(way->to, parts, length > head ? 2 : 1);
}

// Writes what is due; false when the connection is lost.
static bool transmit(struct direction *way, int64_t time) {
  uint64_t end = passable(way, time);
  way->is_blocked = false;
  while (way->written < end) {
    ssize_t count = write_ring(way, end - way->written);
    if (count < 0 && errno == EINTR) continue;
    way->is_blocked = count < 0 && errno == EAGAIN;
    if (way->is_blocked) break;
    if (count < 0) return false;
    way->written += (uint64_t)count;
    bytes_carried += (unsigned long long)count;
  }
  for (struct stamp *next; (next = next_stamp(way)); drop_stamp(way))
    if (next->due > time || next->end > way->written) break;
  if (way->has_ended && way->stamp_count == 0 && !way->is_closed) {
    way->is_closed = true;
    shutdown(way->to, SHUT_WR);
  }
  return true;
}

// ---- Connections --------------------------------------------------------------------------------

static void prepare(int socket) {
  int on = 1;
  fcntl(socket, F_SETFL, O_NONBLOCK);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int connect_to(int port) {
  struct sockaddr_in address = loopback(port);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (server < 0) return -1;
  if (server < FD_SETSIZE && connect(server, (struct sockaddr *)&address, sizeof address) == 0)
    return server;
  close(server);
  return -1;
}

static void open_direction(struct direction *way, int from, int to, int64_t earliest) {
  way->from = from;
  way->to = to;
  way->earliest = earliest;
  way->ring = malloc(ring_size);
  if (!way->ring) die("out of memory");
}

static void accept_connection(int listener, const struct options *options) {
  int client = accept(listener, NULL, NULL);
  if (client < 0) return;
  bool fits = client < FD_SETSIZE && open_connections < max_connections;
  int server = fits ? connect_to(options->target) : -1;
  if (server < 0) {
    close(client);
    return;
  }
  prepare(client);
  prepare(server);
  struct connection *connection = calloc(1, sizeof *connection);
  if (!connection) die("out of memory");
  open_direction(&connection->up, client, server, now() + 3 * options->one_way);
  open_direction(&connection->down, server, client, 0);
  connections[open_connections++] = connection;
  connections_accepted++;
}

static void close_connection(int index, bool resets) {
  struct connection *connection = connections[index];
  connections[index] = connections[--open_connections];
  struct linger at_once = {1, 0};
  int ends[2] = {connection->up.from, connection->up.to};
  for (int i = 0; i < 2; i++) {
    if (resets) setsockopt(ends[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(ends[i]);
  }
  free(connection->up.ring);
  free(connection->down.ring);
  free(connection);
}

// ---- The loop -----------------------------------------------------------------------------------

struct watch {
  fd_set readable, writable;
  int highest;
  int64_t wakes;
};

static void watch_socket(struct watch *watch, fd_set *set, int socket) {
  FD_SET(socket, set);
  if (socket > watch->highest) watch->highest = socket;
}

static void watch_direction(struct watch *watch, struct direction *way) {
  if (has_room(way)) watch_socket(watch, &watch->readable, way->from);
  if (way->is_blocked) watch_socket(watch, &watch->writable, way->to);
  struct stamp *next = next_stamp(way);
  if (next && !way->is_blocked && next->due < watch->wakes) watch->wakes = next->due;
}

// Waits for sockets and for the next byte that is due.
static bool wait_for(struct watch *watch, int listener) {
  int64_t start = now();
  *watch = (struct watch){.highest = listener, .wakes = start + longest_wait};
  FD_ZERO(&watch->readable);
  FD_ZERO(&watch->writable);
  FD_SET(listener, &watch->readable);
  watch_socket(watch, &watch->readable, STDIN_FILENO);
  for (int i = 0; i < open_connections; i++) {
    watch_direction(watch, &connections[i]->up);
    watch_direction(watch, &connections[i]->down);
  }
  int64_t wait = later(0, watch->wakes - start);
  struct timeval time = {.tv_sec = wait / 1000000, .tv_usec = wait % 1000000};
  return select(watch->highest + 1, &watch->readable, &watch->writable, NULL, &time) >= 0;
}

static bool serve(struct direction *way, struct watch *watch, const struct options *options) {
  bool arrived = FD_ISSET(way->from, &watch->readable) && has_room(way);
  return (!arrived || receive(way, options)) && transmit(way, now());
}

static void serve_connection(int index, struct watch *watch, const struct options *options) {
  struct connection *connection = connections[index];
  bool is_whole = serve(&connection->up, watch, options) && serve(&connection->down, watch, options);
  bool is_over = connection->up.is_closed && connection->down.is_closed;
  if (!is_whole || is_over) close_connection(index, !is_whole);
}

static bool stdin_ended(void) {
  char ignored[256];
  return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

static void forward(int listener, const struct options *options) {
  struct watch watch;
  int64_t deadline = now() + (int64_t)options->seconds * 1000000;
  while (!stopped && now() < deadline) {
    if (!wait_for(&watch, listener)) continue;
    if (FD_ISSET(STDIN_FILENO, &watch.readable) && stdin_ended()) return;
    // Downwards: the last connection, already served, takes the place of one that is closed.
    for (int i = open_connections - 1; i >= 0; i--) serve_connection(i, &watch, options);
    if (FD_ISSET(listener, &watch.readable)) accept_connection(listener, options);
  }
}

static int number(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 0 || value > 86400)
    die("not a number from 0 to 86400");
  return (int)value;
}

static struct options parse(int count, char **arguments) {
  struct options options = {.seconds = 300};
  for (int i = 1; i < count; i += 2) {
    const char *name = arguments[i], *value = arguments[i + 1];
    if (!value) die("an option lacks its value");
    if (strcmp(name, "--to") == 0) options.target = number(value);
    else if (strcmp(name, "--round-trip") == 0) options.one_way = number(value) * 500LL;
    else if (strcmp(name, "--port") == 0) options.port = number(value);
    else if (strcmp(name, "--seconds") == 0) options.seconds = number(value);
    else die("usage: delay --to PORT --round-trip MILLISECONDS [--port N] [--seconds N]");
  }
  if (!options.target) die("--to is needed");
  return options;
}

static void on_terminate(int signal) {
  (void)signal;
  stopped = 1;
}

int main(int count, char **arguments) {
  struct options options = parse(count, arguments);
  int port;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTERM, on_terminate);
  int listener = listen_on(options.port, &port);
  printf("{\"port\":%d,\"pid\":%d}\n", port, (int)getpid());
  fflush(stdout);
  forward(listener, &options);
  while (open_connections > 0) close_connection(open_connections - 1, true);
  printf("{\"connections\":%llu,\"bytes\":%llu}\n", connections_accepted, bytes_carried);
  return 0;
}
