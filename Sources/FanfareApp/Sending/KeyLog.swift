internal import POSIX

/// libcurl writes the keys of its connections into a file when a variable names one, and creates
/// that file when it is set up: whoever has the file can read provider tokens out of recorded
/// traffic.
enum KeyLog {
  /// To be called before anything is connected.
  ///
  /// - Throws: `Failure.keyLog` when the variable is set and nobody allowed it.
  static func check(_ choice: ServerChoice, _ context: Context) throws(Failure) {
    guard let path = path(context), !choice.allowsKeyLog else { return }
    throw .keyLog(path: path)
  }

  /// Says each time that the keys are written.
  static func warn(_ choice: ServerChoice, _ context: Context) {
    guard let path = path(context), choice.allowsKeyLog else { return }
    // libcurl would make it for everybody to read.
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    if file >= 0 { close(file) }
    CredentialWarning.tell([.keyLog(path: path)], context)
  }

  private static func path(_ context: Context) -> String? {
    context.environment["SSLKEYLOGFILE"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
