import TestSupport
import Testing

/// Lets a program believe that the machine slept for two hours: the clocks move that go on then, the
/// others do not. Compiled anew for each test and loaded before the program.
struct SleepingMachine {
  static let seconds: Int64 = 7200

  private let folder: TemporaryFolder

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    try folder.write("sleep.c", Self.code)
    let result = try run("cc", ["-shared", "-fPIC", "-o", library, "sleep.c"], in: folder)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  private var library: String { folder.file("sleep.so") }

  /// What bash says before it becomes the program.
  var shell: String {
    "export SLEPT='\(folder.file("slept"))' LD_PRELOAD='\(library)' DYLD_INSERT_LIBRARIES='\(library)'"
  }

  /// From now on it has slept.
  func sleep() { _ = try? folder.write("slept", "") }

  private static let code = """
    #define _GNU_SOURCE
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>

    static int slept(clockid_t clock, struct timespec *time, clockid_t sleepless, int result) {
      const char *file = getenv("SLEPT");
      if ((clock == sleepless || clock == CLOCK_REALTIME) && file && access(file, F_OK) == 0)
        time->tv_sec += \(seconds);
      return result;
    }

    #ifdef __APPLE__
    static int gettime(clockid_t clock, struct timespec *time) {
      return slept(clock, time, CLOCK_MONOTONIC, clock_gettime(clock, time));
    }
    __attribute__((used, section("__DATA,__interpose")))
    static struct { const void *new, *old; } pair = { gettime, clock_gettime };
    #else
    int clock_gettime(clockid_t clock, struct timespec *time) {
      return slept(clock, time, CLOCK_BOOTTIME, syscall(SYS_clock_gettime, clock, time));
    }
    #endif
    """ + "\n"
}
