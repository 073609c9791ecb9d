#ifndef FANFARE_CMICROHTTPD_SHIM_H
#define FANFARE_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdint.h>
#include <string.h>

// How Swift names the library's constants depends on the version of its header.
static inline enum MHD_Result fanfare_http_result(int is_good) { return is_good ? MHD_YES : MHD_NO; }
static inline enum MHD_ValueKind fanfare_http_headers(void) { return MHD_HEADER_KIND; }
static inline enum MHD_ValueKind fanfare_http_query(void) { return MHD_GET_ARGUMENT_KIND; }

static inline struct MHD_Response *fanfare_http_response(const void *bytes, size_t size) {
  return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct fanfare_http_limits {
  unsigned int connections;
  unsigned int first_seconds;
  unsigned int idle_seconds;
  size_t connection_memory;
  size_t stack_size;
};

// A path is compared and a query decoded by fanfare: what the client sent must still be there.
static inline size_t fanfare_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  return strlen(text);
}

// How long a connection may be silent from now on. Swift cannot call a variadic function.
static inline void fanfare_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

// A connection that never says anything must not keep others out for as long as one in use.
static inline void fanfare_http_connected(
    void *first_seconds, struct MHD_Connection *connection, void **context,
    enum MHD_ConnectionNotificationCode code) {
  (void)context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED)
    fanfare_http_set_timeout(connection, (unsigned int)(uintptr_t)first_seconds);
}

// The daemon closes the listening socket when it is stopped.
// It polls: with epoll, version 0.9.75 takes no connection for half a minute after its limit was met.
static inline struct MHD_Daemon *fanfare_start_http(
    MHD_socket socket, struct fanfare_http_limits limits, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, void *context) {
  unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handle, context, MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_CONNECTION_TIMEOUT,
      limits.idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
      MHD_OPTION_THREAD_STACK_SIZE, limits.stack_size,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION,
      &fanfare_http_connected, (void *)(uintptr_t)limits.first_seconds, MHD_OPTION_UNESCAPE_CALLBACK,
      &fanfare_keep_escapes, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

#endif
