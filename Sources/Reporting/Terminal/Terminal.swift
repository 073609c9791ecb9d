internal import POSIX

/// The terminal that this process belongs to, for questions and passwords, wherever its standard
/// streams go.
package struct Terminal: Sendable {
  package init() {}

  /// A question would be seen and can be answered.
  package var canAsk: Bool {
    guard let descriptor = open() else { return false }
    close(descriptor)
    return true
  }

  /// Opens it for reading and writing; nil when there is none, or this process is in its background,
  /// where reading would stop it.
  func open() -> Int32? {
    let descriptor = POSIX.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    if tcgetpgrp(descriptor) == getpgrp() { return descriptor }
    close(descriptor)
    return nil
  }
}

/// Writes a text to an open terminal.
func type(_ text: String, on terminal: Int32) {
  let bytes = Array(text.utf8)
  _ = write(terminal, bytes, bytes.count)
}
