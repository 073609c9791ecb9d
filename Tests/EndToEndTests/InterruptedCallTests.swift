import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("A list whose system calls are interrupted")
struct InterruptedCallTests {
  @Test("is read all the same", .needs("clang"))
  func list() throws {
    try withFanfare { fanfare in
      let folder = fanfare.folder
      let library = folder.file("interruptions.so")
      let source = try folder.write("interruptions.c", Self.source)
      let words = ["-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source]
      let built = try run("clang", words, in: folder)
      try #require(built.exitCode == 0, "\(built.errors)")
      try folder.write("list.txt", tokenList(3))
      try folder.write("list.csv", "token,name\n\(tokenText(4)),Ada\n")
      let result = try fanfare.run(
        [
          "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--json",
          "--tokens", "list.txt", "--tokens", "list.csv",
        ], environment: ["LD_PRELOAD": library])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try JSON(text: result.output)["accepted"]?.int == 4)
      #expect(result.errors.split(separator: "\n") == ["interrupted", "interrupted"])
    }
  }

  /// The first time that a list is opened, and that it is read at a place, a signal comes.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <string.h>
    #include <unistd.h>

    static int opened, listed = -1;

    static int interrupt(int *is_done) {
      if (*is_done) return 0;
      *is_done = 1;
      if (write(STDERR_FILENO, "interrupted\\n", 12) != 12) return 0;
      errno = EINTR;
      return 1;
    }

    int open(const char *path, int flags, ...) {
      int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
      va_list list;
      va_start(list, flags);
      int mode = va_arg(list, int);
      va_end(list);
      int is_list = strstr(path, "list.") != NULL && (flags & O_ACCMODE) == O_RDONLY;
      if (is_list && interrupt(&opened)) return -1;
      int file = next(path, flags, mode);
      if (is_list) listed = file;
      return file;
    }

    ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
      static int is_read;
      ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
      if (file == listed && interrupt(&is_read)) return -1;
      return next(file, bytes, size, offset);
    }
    """
}
