internal import Credentials
internal import PlainText
package import PushModel
package import Recipients
package import Reporting
internal import SQLHistory

/// The files that a command must not write to: those that it reads, and those that its other
/// options write. Files are compared by identity, not by name.
package struct FilesInUse {
  private let read: () -> [String]
  private lazy var files = Set(read().compactMap { FileIdentity($0) })

  /// - Parameter read: the paths of files to read; `-` is standard input. Evaluated only when a
  ///   file is claimed.
  package init(_ read: @autoclosure @escaping () -> [String]) { self.read = read }

  /// Adds the file that an option writes; `-` and nil are not files.
  ///
  /// - Throws: `Failure.overwrites` when the command already uses it.
  package mutating func claim(_ option: String, _ path: String?) throws(Failure) {
    guard let path, path != "-", let file = FileIdentity(path) else { return }
    if !files.insert(file).inserted { throw .overwrites(option: option, path: path) }
  }
}

extension Settings {
  /// The files to read according to these settings. Those of a profile's credentials are known only
  /// after the lookup.
  package func filesRead(_ context: Context) -> [String] {
    let files = [
      payload, ca, serverCA, certificateKey, keyPasswordFile, certificatePasswordFile,
    ].compactMap { $0?.value }
    let secrets = [key, certificate].compactMap { $0?.value.file(context) }
    // The variable of a password holds the password itself.
    let opener = if case .file(let path) = password?.value { [path] } else { [String]() }
    return files + (tokens?.value ?? []) + (suppress?.value ?? []) + secrets + opener
  }

  /// The history's files; empty without a history.
  package var historyFiles: [String] {
    keepsHistory.isOff ? [] : history.map { HistoryLocation($0.value).files } ?? []
  }
}

extension SecretLocation {
  /// The file of a key or certificate; nil when it is not in a file, or a command prints it.
  fileprivate func file(_ context: Context) -> String? {
    switch self {
    case .file(let path): return path
    case .variable(let name):
      guard case .path(let path) = context.environment[name].map(context.keyText) else {
        return nil
      }
      return path
    case .command: return nil
    }
  }
}

extension RecipientSource {
  /// The path of the file to read, `-` for standard input; nil when it is not in a file.
  package var path: String? {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    case .copy(let copy): copy.path
    case .resent(let list): list.copy?.path
    case .tokens, .channel: nil
    }
  }
}

extension Failure {
  /// The location of the history from an option, variable or file is unusable. It is not repeated,
  /// because it may contain a password.
  package static func badHistory(_ error: HistoryError, from origin: String) -> Failure {
    let what =
      if case .secretInAddress = error { "contains a password, which others could read" } else {
        "is neither the path of a file nor the URL of a PostgreSQL database"
      }
    return Failure(
      "\(origin.printable) \(what).", fix: error.fix, cause: error,
      fixWhenSending: error.fixWhenSending)
  }
}
