#ifndef FANFARE_CCURL_SHIM_H
#define FANFARE_CCURL_SHIM_H

// From libcurl 8.16 on, clang too would check calls by macros, for options that it knows when it
// compiles. Here most are arguments, and the functions have the types.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fcntl.h>

// Swift cannot call variadic functions: one setter and one getter for each kind of argument.

static inline CURLcode fanfare_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fanfare_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fanfare_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

// The callback's second argument is an SSL_CTX, which curl declares as a plain pointer.
static inline CURLcode fanfare_curl_set_ssl_context_callback(
    CURL *handle, CURLcode (*callback)(CURL *handle, void *context, void *user)) {
  return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// Came with libcurl 7.87: an overdue look-up of a name is left behind instead of waited for.
static inline void fanfare_curl_leave_slow_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static inline int fanfare_curl_mark_socket(void *user, curl_socket_t socket, curlsocktype purpose) {
  (void)user;
  (void)purpose;
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

// Programs that the process starts do not get the socket.
static inline void fanfare_curl_close_on_exec(CURL *handle) {
  curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, fanfare_curl_mark_socket);
}

static inline CURLcode fanfare_curl_get_socket(CURL *handle, curl_socket_t *value) {
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode fanfare_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

// The text belongs to the handle.
static inline CURLcode fanfare_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
  return curl_easy_getinfo(handle, info, value);
}

// CURLVERSION_NOW is a macro that names an enumerator.
static inline curl_version_info_data *fanfare_curl_version_info(void) {
  return curl_version_info(CURLVERSION_NOW);
}

#endif
