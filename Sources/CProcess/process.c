// For an extension of posix_spawn.
#define _GNU_SOURCE
#include "process.h"

#include <openssl/crypto.h>
#include <spawn.h>
#include <stddef.h>
#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char **environ;
#endif

static int argument_count = 0;
static char *const *arguments = NULL;

// glibc and Darwin give initializers what main is given, musl does not.
__attribute__((constructor)) static void begin(int count, char **values) {
#if defined(__GLIBC__) || defined(__APPLE__)
  argument_count = count;
  arguments = values;
#else
  (void)count;
  (void)values;
#endif
  // OpenSSL would free its memory at exit, while threads still use it. The option only works before
  // OpenSSL's first use.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

int fanfare_argument_count(void) { return argument_count; }

const char *fanfare_argument(int index) { return arguments[index]; }

char **fanfare_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

int fanfare_get_open_files_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }

int fanfare_set_open_files_limit(const struct rlimit *limit) {
  return setrlimit(RLIMIT_NOFILE, limit);
}

int fanfare_get_stack_limit(struct rlimit *limit) { return getrlimit(RLIMIT_STACK, limit); }

int fanfare_set_stack_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_STACK, limit); }

int fanfare_get_memory_limit(struct rlimit *limit) { return getrlimit(RLIMIT_AS, limit); }

short fanfare_spawn_in_session(void) { return POSIX_SPAWN_SETSID; }

#ifdef __GLIBC__
// The Swift library that is linked into a release refers to this function, although nothing calls it.
// The C library's own would be the one symbol for which the program needs glibc 2.35 instead of 2.34.
// The squares of floats are exact as doubles and cannot overflow.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inff();
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}
#endif
