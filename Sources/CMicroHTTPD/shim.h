#ifndef FANFARE_CMICROHTTPD_SHIM_H
#define FANFARE_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// How Swift names the library's constants depends on the version of its header.
static inline enum MHD_Result fanfare_http_result(int is_good) { return is_good ? MHD_YES : MHD_NO; }
static inline enum MHD_ValueKind fanfare_http_headers(void) { return MHD_HEADER_KIND; }

static inline struct MHD_Response *fanfare_http_response(const void *bytes, size_t size) {
  return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct fanfare_http_limits {
  unsigned int connections;
  unsigned int idle_seconds;
  size_t connection_memory;
  size_t stack_size;
};

struct fanfare_http_callbacks {
  void *(*take_target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback follow;
};

// A path is compared and a query decoded by fanfare: what the client sent must still be there.
static inline size_t fanfare_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  return strlen(text);
}

// The library splits queries and cookies itself, and where there are too many for a connection's
// memory, it closes or answers twice. So the query is taken from the target before it is split, and
// an empty cookie header hides the client's.
static inline void fanfare_http_keep_whole(struct MHD_Connection *connection, const char *target) {
  char *query = (char *)strchr(target, '?');
  if (query) query[1] = '\0';
  MHD_set_connection_value(connection, MHD_HEADER_KIND, "cookie", "");
}

// Swift cannot call a variadic function.
static inline int fanfare_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

static inline size_t fanfare_http_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

static inline bool fanfare_http_begins(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

static inline bool fanfare_http_is_answered(enum MHD_RequestTerminationCode code) {
  return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}

// The event of a peer that has closed its side, or both. Elsewhere POLLHUP tells, unasked.
static inline short fanfare_http_hang_up(void) {
#ifdef __linux__
  return 0x2000; // POLLRDHUP, which needs _GNU_SOURCE
#else
  return 0;
#endif
}

// Gives the memory that a long request took back to the system; glibc would keep most of it.
static inline void fanfare_release_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// A blank in a target reaches fanfare, which answers it: by level 0 before version 1.0, where
// level 1 closes; by level 1 since then, where level 0 redirects.
static const int fanfare_http_strictness = MHD_VERSION < 0x01000000 ? 0 : 1;

// The daemon closes the listening socket when it is stopped.
// It polls: with epoll, version 0.9.75 takes no connection for half a minute after its limit was met.
static inline struct MHD_Daemon *fanfare_start_http(
    MHD_socket socket, struct fanfare_http_limits limits, struct fanfare_http_callbacks callbacks,
    void *context) {
  unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, callbacks.handle, context, MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_CONNECTION_TIMEOUT,
      limits.idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
      MHD_OPTION_THREAD_STACK_SIZE, limits.stack_size, MHD_OPTION_URI_LOG_CALLBACK,
      callbacks.take_target, context, MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.follow, context, MHD_OPTION_UNESCAPE_CALLBACK,
      &fanfare_keep_escapes, NULL, MHD_OPTION_STRICT_FOR_CLIENT, fanfare_http_strictness,
      MHD_OPTION_END);
}

#endif
