import SendingSupport
import TestSupport
import Testing

/// What macOS and musl do otherwise than the C library of this system, in a library that is loaded
/// before it.
struct OtherSystem {
  private let path: String

  /// Builds it in a folder.
  init(in folder: TemporaryFolder) throws {
    path = folder.file("other-system.so")
    let source = try folder.write("other-system.c", Self.source)
    let words = ["-shared", "-fPIC", "-Wall", "-Werror", "-o", path, source]
    let result = try run("clang", words, in: folder)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  /// The variables of a program that runs on it.
  ///
  /// - Parameters:
  ///   - sqlite: the version of SQLite, such as 3034001 for 3.34.1; nil leaves it alone.
  ///   - home: the home folder of every account; empty for a system that knows no accounts; nil
  ///     leaves them alone.
  func environment(sqlite: Int? = nil, home: String? = nil) -> [String: String] {
    var variables = ["LD_PRELOAD": path, "OTHER_SQLITE": sqlite.map(String.init) ?? ""]
    variables["OTHER_HOME"] = home
    return variables
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <poll.h>
    #include <pthread.h>
    #include <pwd.h>
    #include <stdlib.h>

    // musl gives a thread this much.
    __attribute__((constructor)) static void begin(void) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, 128 * 1024);
      pthread_setattr_default_np(&attributes);
    }

    // macOS reports nothing of a descriptor of which nothing is asked.
    int poll(struct pollfd *files, nfds_t count, int milliseconds) {
      int (*next)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");
      struct pollfd asked[count + 1];
      for (nfds_t i = 0; i < count; i++) {
        asked[i] = files[i];
        if (files[i].events == 0) asked[i].fd = -1;
      }
      int found = next(asked, count, milliseconds);
      for (nfds_t i = 0; i < count; i++) files[i].revents = asked[i].revents;
      return found;
    }

    int getpwuid_r(uid_t id, struct passwd *account, char *text, size_t size,
                   struct passwd **found) {
      int (*next)(uid_t, struct passwd *, char *, size_t, struct passwd **) =
          dlsym(RTLD_NEXT, "getpwuid_r");
      char *home = getenv("OTHER_HOME");
      int code = next(id, account, text, size, found);
      if (home && *home && *found) account->pw_dir = home;
      if (home && !*home) *found = NULL;
      return code;
    }

    int sqlite3_libversion_number(void) {
      int (*next)(void) = dlsym(RTLD_NEXT, "sqlite3_libversion_number");
      const char *other = getenv("OTHER_SQLITE");
      return other && *other ? atoi(other) : next();
    }
    """
}
