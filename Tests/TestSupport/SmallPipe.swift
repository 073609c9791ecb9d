internal import Foundation

/// Lets a pipe hold 8 KiB, as named pipes do on macOS. A test that writes more before anything is
/// read then fails on every system.
public func shrinkPipe(_ descriptor: Int32) {
  #if os(Linux)
  // F_SETPIPE_SZ, which glibc declares only for GNU's dialect.
  _ = fcntl(descriptor, 1031, 8192)
  #endif
}
