// The plain server that both sides of a benchmark are measured on.
//
// It speaks HTTP/2 over TLS on 127.0.0.1, answers every request with status 200 and the request's
// own apns-id, and checks nothing, so that what a run measures is the client. One thread, poll,
// several connections.
//
//   cc -O2 -Wall -Wextra -Werror -o sink sink.c $(pkg-config --cflags --libs libnghttp2 openssl)
//   sink --cert FILE --key FILE [--port N] [--seconds N]
//
// Prints {"port":N,"pid":N} when it listens, and {"requests":N,"connections":N,"timeline":[N,...]}
// when it ends: on SIGTERM, at the end of its standard input, or after --seconds (default 300), so
// that none is left behind. The timeline has the requests of each tenth of a second since the first
// connection.

#define _GNU_SOURCE  // RTLD_DEFAULT

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "listen.h"

enum {
  max_connections = 256,
  max_streams = 1000,        // what APNs announces once it has seen a valid token
  window_size = 16 << 20,    // so that no client ever waits for a WINDOW_UPDATE
  read_size = 128 << 10,
  write_size = 64 << 10,
  longest_id = 64,           // an apns-id has 36 characters
  listener_slot = 0,
  stdin_slot = 1,
  first_connection_slot = 2,
  timeline_size = 8192,      // what comes later is counted in the last one
};

struct options {
  const char *certificate, *key;
  int port, seconds;
};

struct request {
  struct request *next_free;
  size_t id_length;
  uint8_t id[longest_id];
};

struct connection {
  int socket;
  SSL *tls;
  nghttp2_session *session;
  size_t sent, filled;  // of `output`
  uint8_t output[write_size];
  // As many as there can be streams, so that a request costs no allocation and a connection that
  // breaks off leaves none behind.
  struct request *free_requests, requests[max_streams];
};

static struct connection *connections[max_connections];
static int open_connections;
static unsigned long long requests_answered, connections_accepted;
static unsigned timeline[timeline_size];
static int timeline_length;
static volatile sig_atomic_t stopped;

static void die(const char *what) {
  fprintf(stderr, "sink: %s\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

// ---- HTTP/2 -------------------------------------------------------------------------------------

static void release(struct connection *connection, struct request *request) {
  request->next_free = connection->free_requests;
  connection->free_requests = request;
}

static struct request *take(struct connection *connection) {
  struct request *request = connection->free_requests;
  if (!request) return NULL;
  connection->free_requests = request->next_free;
  request->id_length = 0;
  return request;
}

static int on_begin_headers(
    nghttp2_session *session, const nghttp2_frame *frame, void *connection) {
  if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
  struct request *request = take(connection);
  if (!request) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  return nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, request);
}

static int on_header(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
    size_t name_length, const uint8_t *value, size_t value_length, uint8_t flags,
    void *connection) {
  (void)flags, (void)connection;
  if (name_length != 7 || memcmp(name, "apns-id", 7) != 0 || value_length > longest_id) return 0;
  struct request *request = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (!request) return 0;
  memcpy(request->id, value, value_length);
  request->id_length = value_length;
  return 0;
}

static int answer(nghttp2_session *session, int32_t stream, struct request *request) {
  // An id is seen once only: keeping it out of the HPACK table spares both sides the work.
  nghttp2_nv fields[] = {
      {(uint8_t *)":status", (uint8_t *)"200", 7, 3, NGHTTP2_NV_FLAG_NONE},
      {(uint8_t *)"apns-id", request->id, 7, request->id_length, NGHTTP2_NV_FLAG_NO_INDEX},
  };
  requests_answered++;
  return nghttp2_submit_response(session, stream, fields, request->id_length > 0 ? 2 : 1, NULL);
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *connection) {
  (void)connection;
  bool carries_request = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
  if (!carries_request || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
  struct request *request = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  return request ? answer(session, frame->hd.stream_id, request) : 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t code, void *connection) {
  (void)code;
  struct request *request = nghttp2_session_get_stream_user_data(session, stream);
  if (request) release(connection, request);
  return 0;
}

static ssize_t on_send(
    nghttp2_session *session, const uint8_t *bytes, size_t length, int flags, void *context) {
  (void)session, (void)flags;
  struct connection *connection = context;
  size_t room = write_size - connection->filled;
  if (room == 0) return NGHTTP2_ERR_WOULDBLOCK;
  if (length > room) length = room;
  memcpy(connection->output + connection->filled, bytes, length);
  connection->filled += length;
  return (ssize_t)length;
}

static nghttp2_session_callbacks *make_callbacks(void) {
  nghttp2_session_callbacks *callbacks;
  if (nghttp2_session_callbacks_new(&callbacks) != 0) die("out of memory");
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_session_callbacks_set_send_callback(callbacks, on_send);
  return callbacks;
}

// Since the rapid-reset fix of 2023 nghttp2 answers many RST_STREAM frames with GOAWAY. Not every
// nghttp2 has the option (and distributions ported it back), so it is looked up at run time.
static void lift_reset_limit(nghttp2_option *option) {
  typedef void setter(nghttp2_option *, uint64_t burst, uint64_t rate);
  const char *name = "nghttp2_option_set_stream_reset_rate_limit";
  setter *set_limit = (setter *)dlsym(RTLD_DEFAULT, name);
  if (set_limit) set_limit(option, UINT32_MAX, UINT32_MAX);
}

static nghttp2_option *make_option(void) {
  nghttp2_option *option;
  if (nghttp2_option_new(&option) != 0) die("out of memory");
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_no_http_messaging(option, 1);
  lift_reset_limit(option);
  return option;
}

static nghttp2_session *make_session(struct connection *connection) {
  static nghttp2_session_callbacks *callbacks;
  static nghttp2_option *option;
  if (!callbacks) callbacks = make_callbacks();
  if (!option) option = make_option();
  nghttp2_session *session;
  nghttp2_settings_entry setting = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, max_streams};
  if (nghttp2_session_server_new2(&session, callbacks, connection, option) != 0) return NULL;
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &setting, 1);
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, window_size);
  return session;
}

// ---- TLS ----------------------------------------------------------------------------------------

static int choose_h2(
    SSL *tls, const unsigned char **chosen, unsigned char *chosen_length,
    const unsigned char *offered, unsigned int offered_length, void *context) {
  (void)tls, (void)context;
  static const unsigned char h2[] = "\x02h2";
  int result = SSL_select_next_proto(
      (unsigned char **)chosen, chosen_length, h2, sizeof h2 - 1, offered, offered_length);
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static SSL_CTX *make_tls(const struct options *options) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context) die("no TLS");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_alpn_select_cb(context, choose_h2, NULL);
  // Several TLS records in one system call.
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, read_size);
  if (SSL_CTX_use_certificate_chain_file(context, options->certificate) != 1)
    die("cannot use --cert");
  if (SSL_CTX_use_PrivateKey_file(context, options->key, SSL_FILETYPE_PEM) != 1)
    die("cannot use --key");
  return context;
}

// Whether a failed read or write only has to wait for the socket.
static bool must_wait(struct connection *connection) {
  int error = SSL_get_error(connection->tls, 0);
  ERR_clear_error();
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static bool receive(struct connection *connection) {
  static uint8_t buffer[read_size];
  size_t length;
  do {
    if (SSL_read_ex(connection->tls, buffer, sizeof buffer, &length) != 1)
      return must_wait(connection);
    if (nghttp2_session_mem_recv(connection->session, buffer, length) < 0) return false;
  } while (SSL_has_pending(connection->tls));
  return true;
}

static bool write_output(struct connection *connection, bool *waits) {
  size_t written;
  while (connection->sent < connection->filled) {
    const uint8_t *rest = connection->output + connection->sent;
    if (SSL_write_ex(connection->tls, rest, connection->filled - connection->sent, &written) != 1) {
      *waits = true;
      return must_wait(connection);
    }
    connection->sent += written;
  }
  connection->sent = connection->filled = 0;
  return true;
}

// The frames of many answers are gathered first: one TLS record and one system call carry hundreds.
static bool transmit(struct connection *connection) {
  bool waits = false;
  do {
    if (nghttp2_session_send(connection->session) != 0) return false;
    if (!write_output(connection, &waits)) return false;
  } while (!waits && nghttp2_session_want_write(connection->session));
  return true;
}

// ---- Connections --------------------------------------------------------------------------------

static void close_connection(int index) {
  struct connection *connection = connections[index];
  connections[index] = connections[--open_connections];
  nghttp2_session_del(connection->session);
  SSL_shutdown(connection->tls);
  SSL_free(connection->tls);
  close(connection->socket);
  free(connection);
}

static bool finished(nghttp2_session *session) {
  return !nghttp2_session_want_read(session) && !nghttp2_session_want_write(session);
}

static void serve(int index) {
  struct connection *connection = connections[index];
  bool healthy = receive(connection) && transmit(connection);
  if (!healthy || finished(connection->session)) close_connection(index);
}

static struct connection *make_connection(int socket, SSL_CTX *tls) {
  struct connection *connection = calloc(1, sizeof *connection);
  if (!connection) die("out of memory");
  connection->socket = socket;
  connection->tls = SSL_new(tls);
  connection->session = make_session(connection);
  if (!connection->tls || !connection->session) die("out of memory");
  if (SSL_set_fd(connection->tls, socket) != 1) die("out of memory");
  SSL_set_accept_state(connection->tls);
  for (int i = 0; i < max_streams; i++) release(connection, &connection->requests[i]);
  return connection;
}

static void accept_connection(int listener, SSL_CTX *tls) {
  int socket = accept(listener, NULL, NULL), on = 1;
  if (socket < 0) return;
  if (open_connections == max_connections) {
    close(socket);
    return;
  }
  fcntl(socket, F_SETFL, O_NONBLOCK);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  connections[open_connections++] = make_connection(socket, tls);
  connections_accepted++;
}

// ---- The timeline -------------------------------------------------------------------------------

static long long tenths_of_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 10LL + time.tv_nsec / 100000000;
}

// Counts the requests since the last call. Once per turn of the loop, not once per request.
static void note_time(void) {
  static long long start;
  static unsigned long long noted;
  if (connections_accepted == 0) return;
  long long time = tenths_of_seconds();
  if (timeline_length == 0) start = time;
  int place = time - start < timeline_size ? (int)(time - start) : timeline_size - 1;
  timeline[place] += (unsigned)(requests_answered - noted);
  noted = requests_answered;
  if (place >= timeline_length) timeline_length = place + 1;
}

static void print_result(void) {
  printf(
      "{\"requests\":%llu,\"connections\":%llu,\"timeline\":[", requests_answered,
      connections_accepted);
  for (int i = 0; i < timeline_length; i++) printf(i == 0 ? "%u" : ",%u", timeline[i]);
  printf("]}\n");
}

// ---- The loop -----------------------------------------------------------------------------------

static bool stdin_ended(void) {
  char ignored[256];
  return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

static void watch_connections(struct pollfd *slots) {
  for (int i = 0; i < open_connections; i++) {
    short events = SSL_want_write(connections[i]->tls) ? POLLIN | POLLOUT : POLLIN;
    slots[first_connection_slot + i] = (struct pollfd){connections[i]->socket, events, 0};
  }
}

static void serve_until(time_t deadline, int listener, SSL_CTX *tls) {
  static struct pollfd slots[first_connection_slot + max_connections];
  slots[listener_slot] = (struct pollfd){listener, POLLIN, 0};
  slots[stdin_slot] = (struct pollfd){STDIN_FILENO, POLLIN, 0};
  while (!stopped && time(NULL) < deadline) {
    watch_connections(slots);
    int watched = open_connections;
    // The timeout bounds how late the deadline is noticed, and a signal that came just before poll.
    if (poll(slots, (nfds_t)(first_connection_slot + watched), 200) <= 0) continue;
    if (slots[stdin_slot].revents && stdin_ended()) return;
    // Downwards: the last connection, already served, takes the place of one that is closed.
    for (int i = watched - 1; i >= 0; i--)
      if (slots[first_connection_slot + i].revents) serve(i);
    if (slots[listener_slot].revents) accept_connection(listener, tls);
    note_time();
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
    if (strcmp(name, "--cert") == 0) options.certificate = value;
    else if (strcmp(name, "--key") == 0) options.key = value;
    else if (strcmp(name, "--port") == 0) options.port = number(value);
    else if (strcmp(name, "--seconds") == 0) options.seconds = number(value);
    else die("usage: sink --cert FILE --key FILE [--port N] [--seconds N]");
  }
  if (!options.certificate || !options.key) die("--cert and --key are needed");
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
  SSL_CTX *tls = make_tls(&options);
  int listener = listen_on(options.port, &port);
  printf("{\"port\":%d,\"pid\":%d}\n", port, (int)getpid());
  fflush(stdout);
  serve_until(time(NULL) + options.seconds, listener, tls);
  while (open_connections > 0) close_connection(open_connections - 1);
  SSL_CTX_free(tls);
  print_result();
  return 0;
}
