#include "process.h"

#include <openssl/crypto.h>
#include <stddef.h>

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
  // OpenSSL would clean up at exit, while threads still use it. That only frees memory, and can only
  // be turned off before OpenSSL is first used.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

int fanfare_argument_count(void) { return argument_count; }

const char *fanfare_argument(int index) { return arguments[index]; }
